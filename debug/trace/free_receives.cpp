// SPDX-License-Identifier: BSD-3-Clause
#include "debug/trace/free_receives.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "debug/trace/codec.hpp"

namespace earl::trace {

namespace {

// A text is a row of progressions: whose numbers, then the three numbers of each.
constexpr unsigned of_posts = 0;
constexpr unsigned of_messages = 1;  // then the source
constexpr std::size_t longest_item = 1 + 4 * longest_varint;

class Lists {
 public:
  void add(Progression const& one, Rank const* source) {
    std::array<std::byte, longest_item> item{};
    Put put(item.data());
    put.byte(source == nullptr ? of_posts : of_messages);
    if (source != nullptr) put.signed_number(number(*source));
    put.number(one.first);
    put.number(one.step);
    put.number(one.count);
    if (outcomes_.empty() || outcomes_.back().text.size() + put.size() > most_text) begin();
    outcomes_.back().text.append(reinterpret_cast<char const*>(item.data()), put.size());
  }
  std::vector<Outcome> take(std::uint64_t receives) {
    if (outcomes_.empty()) begin();
    outcomes_.front().count = receives;
    return std::move(outcomes_);
  }

 private:
  void begin() { outcomes_.emplace_back().what = OutcomeKind::free_receives; }
  std::vector<Outcome> outcomes_;
};

bool read_item(Get& from, Rank& source, Progression& one, bool& is_of_posts) {
  auto const kind = from.byte();
  if (kind > of_messages) return false;
  is_of_posts = kind == of_posts;
  if (!is_of_posts) source = Rank{static_cast<std::int32_t>(from.signed_number())};
  one = {.first = from.number(), .step = from.number(), .count = from.number()};
  constexpr std::uint64_t most = 1ULL << 40;
  return from.ok() && one.step != 0 && one.count != 0 && one.count < most &&
         (~std::uint64_t{0} - one.first) / one.step >= one.count - 1;
}

}  // namespace

void FreeReceives::add(std::uint64_t post, MessageId const& id) {
  posts_.push_back(post);
  messages_[id.source].push_back(id.sequence);
}

std::vector<Outcome> FreeReceives::lists() {
  Lists lists;
  for (auto const& one : progressions_of(posts_)) lists.add(one, nullptr);
  for (auto& [source, sequences] : messages_)
    for (auto const& one : progressions_of(sequences)) lists.add(one, &source);
  return lists.take(receives_);
}

/// Where they are too long the frame stays as it is, and its receives are pinned.
Bytes FreeReceives::reduced(Bytes frame, std::size_t most) {
  if (posts_.empty() && receives_ == 0) return frame;
  auto kept = lists();  // which sorts posts_
  for (auto& outcome : decode(frame)) {
    bool const free = outcome.what == OutcomeKind::receive && !outcome.is_loss() &&
                      std::ranges::binary_search(posts_, outcome.post);
    if (!free) kept.push_back(std::move(outcome));
  }
  posts_.clear();
  messages_.clear();
  receives_ = 0;
  Encoder encoder;
  bytes_.resize(most + most_record_bytes);
  std::size_t used = 0;
  for (auto const& outcome : kept) {
    used += encoder.put(outcome, bytes_.data() + used);
    if (used > most) return frame;
  }
  return Bytes{bytes_}.first(used);
}

void FreeLists::read(std::string_view text) {
  Get from(std::as_bytes(std::span{text}));
  while (!from.at_end()) {
    Rank source{};
    Progression one;
    bool is_of_posts = false;
    if (!read_item(from, source, one, is_of_posts)) return;
    (is_of_posts ? posts_ : messages_[source]).add(one);
  }
}

std::vector<Rank> FreeLists::sources() const {
  std::vector<Rank> all;
  for (auto const& [source, messages] : messages_) all.push_back(source);
  return all;
}

bool FreeLists::has_message(MessageId const& id) const {
  auto const of = messages_.find(id.source);
  return of != messages_.end() && of->second.contains(id.sequence);
}

}  // namespace earl::trace
