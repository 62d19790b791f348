// SPDX-License-Identifier: BSD-3-Clause
#include "backends/hosted/transfers.hpp"

#include <sched.h>

#include <algorithm>

#include "backends/hosted/packets.hpp"

namespace earl::hosted_backend {

namespace {

/// MPI counts with an int.
constexpr std::size_t most_at_once = std::size_t{1} << 30;
/// Every MPI has tags up to 32767, NX more.
constexpr std::int32_t first_tag = packet_tag + 1;
constexpr std::uint32_t tags = 32'000;

template <class Memory, class Start>
void in_parts(Memory all, Start const& start) {
  do {
    auto const part = all.first(std::min(all.size(), most_at_once));
    start(part);
    all = all.subspan(part.size());
  } while (!all.empty());
}

}  // namespace

Remote Exposures::add(Bytes bytes) {
  auto const name = ++names_;
  all_[name].bytes = bytes;
  return {.where = name, .more = bytes.size()};
}

bool Exposures::copy_exposed(Remote const& remote) {
  auto& one = all_.at(remote.where);
  if (one.claimed) return false;
  one.own = Buffer{Gather{one.bytes}};
  one.bytes = one.own.bytes();
  return true;
}

bool Exposures::claimed(Remote const& remote) const {
  auto const found = all_.find(remote.where);
  return found != all_.end() && found->second.claimed;
}

void Exposures::remove(Remote const& remote) {
  auto const found = all_.find(remote.where);
  if (found == all_.end()) return;
  for (auto& request : found->second.sends)
    while (!dead_(found->second.reader) && !is_complete(native_, request, nullptr, "send"))
      ::sched_yield();
  if (found->second.claimed) --being_read_;
  all_.erase(found);
}

void Exposures::send(Rank to, Fetch const& fetch) {
  auto const found = all_.find(fetch.where);
  if (found == all_.end() || found->second.claimed) return;
  auto& one = found->second;
  one.claimed = true;
  one.reader = to;
  ++being_read_;
  in_parts(one.bytes.first(std::min<std::size_t>(fetch.size, one.bytes.size())), [&](Bytes part) {
    auto& request = one.sends.emplace_back();
    expect_success(native_, native_.send(part.data(), part.size(), number(to), fetch.tag, &request),
                   "send");
  });
}

Fetch Pulls::start(Rank from, Offer const& offer, Scatter const& to) {
  const std::int32_t tag = first_tag + static_cast<std::int32_t>(tags_++ % tags);
  auto const size = std::min<std::size_t>(offer.remote.more, to.size());
  Pull& pull = all_.emplace_back();
  pull.from = from;
  pull.transfer = offer.transfer;
  MutableBytes room;
  if (to.contiguous()) {
    room = to.only().first(size);
  } else {
    pull.to = to;
    pull.whole = Buffer(size);
    room = pull.whole.room();
  }
  in_parts(room, [&](MutableBytes part) {
    auto& request = pull.receives.emplace_back();
    expect_success(native_, native_.receive(part.data(), part.size(), number(from), tag, &request),
                   "receive");
  });
  return {.where = offer.remote.where, .size = size, .tag = tag};
}

bool Pulls::any_from(Rank from) const {
  return std::ranges::any_of(all_, [&](Pull const& pull) { return pull.from == from; });
}

std::size_t Pulls::finish(std::function<void(Rank, TransferId)> const& moved) {
  std::size_t finished = 0;
  for (std::size_t i = all_.size(); i-- > 0;) {
    auto& receives = all_[i].receives;
    while (!receives.empty() && is_complete(native_, receives.front(), nullptr, "receive"))
      receives.pop_front();
    if (!receives.empty()) continue;
    std::swap(all_[i], all_.back());
    Pull const done = std::move(all_.back());
    all_.pop_back();
    if (!done.to.empty()) copy(done.whole.bytes(), done.to);
    ++finished;
    moved(done.from, done.transfer);
  }
  return finished;
}

void Pulls::abandon(Rank from) {
  std::erase_if(all_, [&](Pull const& pull) { return pull.from == from; });
}

void Pulls::close() {
  for (auto& pull : all_)
    for (auto& request : pull.receives)
      expect_success(native_, native_.cancel(&request), "take a receive back");
}

}  // namespace earl::hosted_backend
