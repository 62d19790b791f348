// SPDX-License-Identifier: BSD-3-Clause
#include "backends/fibers/mailbox.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

namespace earl::fibers {

namespace {

struct Record {
  std::uint64_t size = 0;  ///< of the payload
  Header header{};
};
constexpr std::size_t least = 256;  ///< bytes a mailbox has once it is used
constexpr std::size_t aligned(std::size_t size) { return (size + 15) / 16 * 16; }

}  // namespace

void Mailbox::make_room(std::size_t size) {
  Buffer larger(std::max({least, 2 * packets_.size(), used_ + size}));
  copy(packets_.bytes().first(used_), larger.room());
  packets_ = std::move(larger);
}

void Mailbox::add(Header const& header, Gather const& payload) {
  Record const record{.size = payload.size(), .header = header};
  auto const size = aligned(sizeof record + payload.size());
  if (size > packets_.size() - used_) [[unlikely]]
    make_room(size);
  auto* const to = packets_.data() + used_;
  std::memcpy(to, &record, sizeof record);
  copy(payload, MutableBytes{to + sizeof record, payload.size()});
  used_ += size;
}

std::size_t Mailbox::empty_into(PacketSink& sink) {
  std::size_t count = 0;
  std::swap(leaving_, packets_);
  auto const all = leaving_.bytes().first(std::exchange(used_, 0));
  for (std::size_t at = 0; at < all.size(); ++count) {
    Record record;
    std::memcpy(&record, all.data() + at, sizeof record);
    sink.packet(record.header, all.subspan(at + sizeof record, record.size));
    at += aligned(sizeof record + record.size);
  }
  if (leaving_.size() > room) leaving_ = {};  // memory of one burst is not kept
  return count;
}

bool Mailbox::meet(Rank rank) {
  if (!met_.insert(number(rank)).second) [[likely]]
    return false;
  peers.push_back(rank);
  return true;
}

void Mailbox::remove(Rank rank) {
  if (met_.erase(number(rank)) != 0) std::erase(peers, rank);
}

void Mailbox::close() {
  ended = true;
  open = nullptr;
  gone.clear();
  packets_ = {};
  used_ = 0;
}

}  // namespace earl::fibers
