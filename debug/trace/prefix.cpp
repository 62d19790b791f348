// SPDX-License-Identifier: BSD-3-Clause
#include "debug/trace/prefix.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "debug/trace/varint.hpp"

namespace earl::trace {

namespace {

/// Appends numbers to a text.
class Numbers {
 public:
  void put(std::uint64_t number) {
    std::array<std::byte, longest_varint> room{};
    Put to(room.data());
    to.number(number);
    text_.append(reinterpret_cast<char const*>(room.data()), to.size());
  }
  void put_rank(Rank rank) { put(zigzag(number(rank))); }
  void put_list(std::vector<std::uint64_t> const& numbers) {
    put(numbers.size());
    for (auto const one : numbers) put(one);
  }
  std::string take() { return std::move(text_); }

 private:
  std::string text_;
};

/// Stops at the end of the bytes, whatever the count says.
std::vector<std::uint64_t> list_from(Get& from) {
  std::vector<std::uint64_t> numbers;
  for (auto left = from.number(); left != 0 && from.ok(); --left) numbers.push_back(from.number());
  return numbers;
}

Ranges ranges_from(Get& from) {
  Ranges ranges;
  for (auto left = from.number(); left != 0 && from.ok(); --left) {
    auto const begin = from.number();
    auto const size = from.number();
    if (size != 0 && size <= ~begin) ranges.add(begin, begin + size);
  }
  return ranges;
}

}  // namespace

void Ranges::add(std::uint64_t begin, std::uint64_t end) {
  auto next = ends_.upper_bound(begin);
  if (next != ends_.begin()) {
    auto const before = std::prev(next);
    if (before->second >= begin) {
      begin = before->first;
      end = std::max(end, before->second);
      next = ends_.erase(before);
    }
  }
  while (next != ends_.end() && next->first <= end) {
    end = std::max(end, next->second);
    next = ends_.erase(next);
  }
  ends_.emplace_hint(next, begin, end);
}

bool Ranges::contains(std::uint64_t number) const {
  auto const after = ends_.upper_bound(number);
  return after != ends_.begin() && number < std::prev(after)->second;
}

void Prefix::cancelled(std::uint64_t post) {
  if (cancelled_.size() == most_cancelled) cancelled_.erase(cancelled_.begin());
  cancelled_.push_back(post);
}

void Prefix::close(std::uint64_t first_event, Position const& position, std::uint64_t posts,
                   std::vector<std::uint64_t> open) {
  first_event_ = first_event;
  end_ = position;
  posts_ = posts;
  open_ = std::move(open);
}

std::string Prefix::to_bytes() const {
  Numbers to;
  to.put(first_event_);
  to.put(end_.operations_);
  to.put(end_.calls_);
  to.put(posts_);
  to.put_list(open_);
  to.put_list(cancelled_);
  to.put(messages_.size());
  for (auto const& [source, sequences] : messages_) {
    to.put_rank(source);
    to.put(sequences.all().size());
    for (auto const& [begin, end] : sequences.all()) {
      to.put(begin);
      to.put(end - begin);
    }
  }
  to.put(probed_.size());
  for (auto const& id : probed_) {
    to.put_rank(id.source);
    to.put(id.sequence);
  }
  return to.take();
}

std::optional<Prefix> Prefix::from(Bytes bytes) {
  Get get(bytes);
  Prefix prefix;
  prefix.first_event_ = get.number();
  prefix.end_.operations_ = get.number();
  prefix.end_.calls_ = get.number();
  prefix.posts_ = get.number();
  prefix.open_ = list_from(get);
  prefix.cancelled_ = list_from(get);
  for (auto left = get.number(); left != 0 && get.ok(); --left) {
    const Rank source{static_cast<std::int32_t>(get.signed_number())};
    prefix.messages_[source] = ranges_from(get);
  }
  for (auto left = get.number(); left != 0 && get.ok(); --left) {
    const Rank source{static_cast<std::int32_t>(get.signed_number())};
    prefix.probed_.push_back({source, get.number()});
  }
  if (!get.ok() || !std::ranges::is_sorted(prefix.open_)) return std::nullopt;
  return prefix;
}

bool Prefix::has_receive(std::uint64_t post) const {
  return post < posts_ && !std::ranges::binary_search(open_, post);
}

bool Prefix::was_cancelled(std::uint64_t post) const {
  return std::ranges::find(cancelled_, post) != cancelled_.end();
}

bool Prefix::has_message(MessageId const& id) const {
  auto const of = messages_.find(id.source);
  return of != messages_.end() && of->second.contains(id.sequence);
}

std::vector<Rank> Prefix::sources() const {
  std::vector<Rank> all;
  for (auto const& [source, sequences] : messages_) all.push_back(source);
  for (auto const& id : probed_)
    if (!messages_.contains(id.source)) all.push_back(id.source);
  return all;
}

}  // namespace earl::trace
