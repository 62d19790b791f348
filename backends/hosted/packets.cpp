// SPDX-License-Identifier: BSD-3-Clause
#include "backends/hosted/packets.hpp"

#include <cstring>
#include <utility>

#include "generic/base/error.hpp"

namespace earl::hosted_backend {

namespace {

/// Most packets; one that is longer has room for the longest.
constexpr std::size_t short_room = 256;
constexpr std::size_t long_room = sizeof(Frame) + largest_packet;
constexpr std::size_t departures_at_first = 32;
constexpr std::size_t arrivals = 32;

}  // namespace

void expect_success(earl_library_calls const& native, int error, char const* what) {
  if (error != 0) throw Error("{} cannot {}: {}", native.title, what, native.error_text(error));
}

bool is_complete(earl_library_calls const& native, earl_library_request& request, std::size_t* size,
                 char const* what) {
  int error = 0;
  int const done = native.test(&request, size, &error);
  if (done < 0) expect_success(native, error, what);
  return done > 0;
}

Departures::Slots& Departures::free_for(std::size_t size) {
  return size <= short_room ? short_ : long_;
}

/// One more if all are under way: the windows of the receivers bound how many can be.
std::unique_ptr<Departures::Slot> Departures::slot_for(std::size_t size) {
  auto& free = free_for(size);
  if (free.empty() && under_way_.size() >= departures_at_first) reap();
  if (free.empty()) {
    auto slot = std::make_unique<Slot>();
    slot->room.resize(size <= short_room ? short_room : long_room);
    return slot;
  }
  auto slot = std::move(free.back());
  free.pop_back();
  return slot;
}

void Departures::start(Rank to, Frame const& frame, Gather const& payload) {
  auto const size = sizeof frame + payload.size();
  auto slot = slot_for(size);
  std::memcpy(slot->room.data(), &frame, sizeof frame);
  copy(payload, MutableBytes{slot->room}.subspan(sizeof frame));
  expect_success(native_,
                 native_.send(slot->room.data(), size, number(to), packet_tag, &slot->request),
                 "send");
  slot->to = to;
  under_way_.push_back(std::move(slot));
}

void Departures::reap() {
  for (std::size_t i = under_way_.size(); i-- > 0;) {
    if (!is_complete(native_, under_way_[i]->request, nullptr, "send")) continue;
    std::swap(under_way_[i], under_way_.back());
    auto& free = free_for(under_way_.back()->room.size());
    free.push_back(std::move(under_way_.back()));
    under_way_.pop_back();
  }
}

void Departures::abandon(Rank to) {
  for (auto& slot : under_way_)
    if (slot->to == to) abandoned_.push_back(std::move(slot));
  std::erase(under_way_, nullptr);
}

Arrivals::Arrivals(earl_library_calls const& native) : native_(native), slots_(arrivals) {
  for (auto& slot : slots_) {
    slot.room.resize(long_room);
    post(slot);
  }
}

void Arrivals::post(Slot& slot) {
  expect_success(native_,
                 native_.receive(slot.room.data(), slot.room.size(), earl_library_any, packet_tag,
                                 &slot.request),
                 "receive");
}

std::optional<Bytes> Arrivals::front() {
  Slot& slot = slots_[next_];
  std::size_t size = 0;
  if (!here_ && is_complete(native_, slot.request, &size, "receive")) here_ = size;
  if (!here_) return std::nullopt;
  return Bytes{slot.room}.first(*here_);
}

void Arrivals::pop() {
  here_.reset();
  next_ = (next_ + 1) % slots_.size();
  if (++filled_ >= slots_.size() / 2) restock();
}

void Arrivals::restock() {
  for (; filled_ != 0; --filled_) post(slots_[(next_ + slots_.size() - filled_) % slots_.size()]);
}

void Arrivals::close() {
  for (auto& slot : slots_)
    expect_success(native_, native_.cancel(&slot.request), "take a receive back");
}

}  // namespace earl::hosted_backend
