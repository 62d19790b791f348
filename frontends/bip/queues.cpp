// SPDX-License-Identifier: BSD-3-Clause
#include "frontends/bip/queues.hpp"

#include <algorithm>

namespace earl::bip {

namespace {

constexpr std::uint32_t messages_by_default = 64;
constexpr std::uint32_t messages_of_each_node = 16;

}  // namespace

Queues::Queues(int nodes, int me, std::uint32_t short_words)
    : nodes_(nodes),
      me_(me),
      default_((short_words + header_words) *
               std::max(messages_by_default, messages_of_each_node * static_cast<std::uint32_t>(
                                                                         std::max(nodes - 1, 1)))),
      left_(static_cast<std::size_t>(nodes)),
      freed_(static_cast<std::size_t>(nodes)),
      delays_(most_tags, delay(me, 0)) {}

void Queues::resize(int node, QueueSize size) {
  sizes_[{node, size.tag}] = size.words;
  if (node == me_) delays_[static_cast<std::size_t>(size.tag)] = 0;
}

void Queues::share(bool shared) {
  shared_ = shared;
  if (shared) std::fill(delays_.begin(), delays_.end(), 0);
}

void Queues::begin(ByNode& all, int node) {
  auto& counts = all[static_cast<std::size_t>(node)];
  counts.resize(most_tags);
  if (&all != &left_) return;
  for (int tag = 0; tag < most_tags; ++tag)
    counts[static_cast<std::size_t>(tag)] = limit(node, tag);
}

std::uint32_t Queues::capacity(int node, int tag) const {
  auto const found = sizes_.find({node, tag});
  return found == sizes_.end() ? default_ : found->second;
}

std::uint32_t Queues::delay(int node, int tag) const {
  return sizes_.contains({node, tag}) ? 0 : default_ / 4;
}

std::uint32_t Queues::limit(int node, int tag) const {
  auto const room = capacity(node, tag);
  if (shared_) return room / static_cast<std::uint32_t>(std::max(nodes_ - 1, 1));
  return room + delay(node, tag);
}

bool Queues::never_fits(int node, int tag, std::uint32_t words) const {
  return words + header_words > (shared_ ? limit(node, tag) : capacity(node, tag));
}

}  // namespace earl::bip
