// SPDX-License-Identifier: BSD-3-Clause
#include "backends/net/ofi/moves.hpp"

#include <algorithm>

#include "generic/base/error.hpp"

namespace earl::net::ofi {

namespace {

iovec memory_of(Bytes bytes) { return {const_cast<std::byte*>(bytes.data()), bytes.size()}; }

}  // namespace

std::uint64_t Moves::receive(earl_ofi_endpoint* ofi, Rank from, MutableBytes room) {
  std::size_t slot = 0;
  if (calls_.receive_whole(ofi, {room.data(), room.size()}, tags_ + 1, &slot) != 1) return 0;
  under_way_[slot] = {.tag = ++tags_, .peer = from};
  return tags_;
}

void Moves::cancel(earl_ofi_endpoint* ofi, std::uint64_t tag) {
  for (auto& [slot, move] : under_way_) {
    if (move.sent || move.tag != tag) continue;
    move.cancelled = true;
    return calls_.take_back(ofi, slot);
  }
}

int Moves::start(earl_ofi_endpoint* ofi, Send const& request) {
  std::size_t slot = 0;
  int const begun =
      calls_.send_whole(ofi, request.destination, memory_of(request.bytes), request.tag, &slot);
  if (begun == 1) under_way_[slot] = {.tag = request.tag, .peer = request.to, .sent = true};
  return begun;
}

std::optional<Moves::Finished> Moves::send(earl_ofi_endpoint* ofi, Send const& request) {
  waiting_.push_back(request);
  return waiting_.size() == 1 ? try_again(ofi) : std::nullopt;
}

std::optional<Moves::Finished> Moves::try_again(earl_ofi_endpoint* ofi) {
  while (!waiting_.empty()) {
    auto const first = waiting_.front();
    int const begun = start(ofi, first);
    if (begun == 0) return {};
    waiting_.pop_front();
    if (begun < 0)
      return Finished{
          .tag = first.tag, .peer = first.to, .sent = true, .error_text = calls_.error_text(begun)};
  }
  return {};
}

bool Moves::is_sending(Rank to, std::uint64_t tag) const {
  return std::ranges::any_of(waiting_,
                             [&](Send const& one) { return one.to == to && one.tag == tag; }) ||
         std::ranges::any_of(under_way_, [&](auto const& one) {
           return one.second.sent && one.second.peer == to && one.second.tag == tag;
         });
}

void Moves::drop_waiting(Rank to, std::uint64_t tag) {
  std::erase_if(waiting_, [&](Send const& one) { return one.to == to && one.tag == tag; });
}

Moves::Finished Moves::ended(earl_ofi_arrival const& arrival) {
  auto const found = under_way_.find(arrival.slot);
  EARL_CHECK(found != under_way_.end(), "libfabric has done with slot {}", arrival.slot);
  Finished finished = found->second;
  finished.error_text = arrival.error_text;
  under_way_.erase(found);
  return finished;
}

}  // namespace earl::net::ofi
