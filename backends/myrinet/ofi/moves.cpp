#include "backends/myrinet/ofi/moves.hpp"

#include <algorithm>

#include "generic/error.hpp"

namespace earl::myrinet::ofi {

namespace {

iovec memory_of(Bytes bytes) { return {const_cast<std::byte*>(bytes.data()), bytes.size()}; }

}  // namespace

std::uint64_t Moves::receive(earl_ofi_endpoint* ofi, Room room) {
  std::size_t slot = 0;
  if (calls_.receive_whole(ofi, {room.data(), room.size()}, tags_ + 1, &slot) != 1) return 0;
  under_way_[slot] = {.tag = ++tags_};
  return tags_;
}

void Moves::forget(earl_ofi_endpoint* ofi, std::uint64_t tag) {
  for (auto const& [slot, move] : under_way_)
    if (move.to == no_rank && move.tag == tag) return calls_.take_back(ofi, slot);
}

int Moves::start(earl_ofi_endpoint* ofi, Send const& what) {
  std::size_t slot = 0;
  int const begun =
      calls_.send_whole(ofi, what.destination, memory_of(what.bytes), what.tag, &slot);
  if (begun == 1) under_way_[slot] = {.tag = what.tag, .to = what.to};
  return begun;
}

std::optional<Moves::Over> Moves::send(earl_ofi_endpoint* ofi, Send const& what) {
  waiting_.push_back(what);
  return waiting_.size() == 1 ? try_again(ofi) : std::nullopt;
}

std::optional<Moves::Over> Moves::try_again(earl_ofi_endpoint* ofi) {
  while (!waiting_.empty()) {
    auto const first = waiting_.front();
    int const begun = start(ofi, first);
    if (begun == 0) return {};
    waiting_.pop_front();
    if (begun < 0) return Over{.tag = first.tag, .to = first.to, .words = calls_.words(begun)};
  }
  return {};
}

bool Moves::sends(Rank to, std::uint64_t tag) const {
  auto const is = [&](auto const& one) { return one.to == to && one.tag == tag; };
  return std::ranges::any_of(waiting_, is) ||
         std::ranges::any_of(under_way_, [&](auto const& one) { return is(one.second); });
}

void Moves::drop(Rank to, std::uint64_t tag) {
  std::erase_if(waiting_, [&](Send const& one) { return one.to == to && one.tag == tag; });
}

Moves::Over Moves::ended(earl_ofi_arrival const& arrival) {
  auto const found = under_way_.find(arrival.slot);
  EARL_CHECK(found != under_way_.end(), "libfabric has done with slot {}", arrival.slot);
  Over over = found->second;
  over.words = arrival.words;
  under_way_.erase(found);
  return over;
}

}  // namespace earl::myrinet::ofi
