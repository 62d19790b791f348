// SPDX-License-Identifier: BSD-3-Clause
#include "backends/shm/ring.hpp"

#include <algorithm>
#include <utility>

#include "backends/shm/door.hpp"
#include "generic/base/error.hpp"
#include "generic/seams/port.hpp"

namespace earl::shm {

namespace {

/// Units that may be written in so many bytes of a ring. The receiver looks at the one behind the
/// last packet, so that one must have memory, too.
constexpr std::uint32_t claimed_units(std::uint64_t bytes) {
  auto const units = static_cast<std::uint32_t>((bytes - offsetof(Ring, records)) / unit);
  return bytes == ring_bytes ? units : units - 1;
}
static_assert(claimed_units(ring_bytes) == ring_units && claimed_units(page) > 0);

}  // namespace

/// Makes sure that so many free units lie at index_. False: there is no room.
bool RingWriter::find_place(std::uint32_t units) {
  const std::uint32_t left = ring_units - index_;
  bool const wraps = units > left;
  needed_ = wraps ? left + units : units;
  free_ = 0;
  if (!has_room()) return false;
  claim(wraps ? units : index_ + units);
  if (wraps) start_again();
  auto const unread = static_cast<std::uint32_t>(position_ - consumed_);
  free_ = std::min(claimed_units(claimed_) - index_, ring_units - unread);
  return true;
}

/// Sees to it that the units before `end` have memory.
void RingWriter::claim(std::uint32_t end) {
  std::uint64_t needed = claimed_;
  while (claimed_units(needed) < end) needed += page;
  if (needed == claimed_) return;
  segment_->reserve(at_ + claimed_, needed - claimed_);
  claimed_ = needed;
}

/// Marks the rest of the ring, if any, as not used this time.
void RingWriter::start_again() {
  if (index_ != ring_units)
    ring_->records[index_].commit.store(commit_at(key_, position_) | padding,
                                        std::memory_order_release);
  position_ += ring_units - index_;
  index_ = 0;
}

bool RingWriter::look_for_units() {
  auto const consumed = ring_->consumed.load(std::memory_order_acquire);
  if (consumed < consumed_ || consumed > position_) [[unlikely]]
    damaged("units read", consumed);
  consumed_ = consumed;
  return position_ - consumed_ + needed_ <= ring_units;
}

bool RingWriter::kept_all_taken() {
  auto const taken = ring_->kept_taken.load(std::memory_order_acquire);
  if (taken < taken_ || taken > kept_) [[unlikely]]
    damaged("packets taken", taken);
  taken_ = taken;
  return taken_ == kept_;
}

void RingWriter::damaged(char const* name, std::uint64_t value) const {
  segment_->damaged("the receiver of a ring has an impossible {}: {}", name, value);
}

void RingWriter::check(Rank me, Rank to) {
  if (ring_->source != number(me) || ring_->dest != number(to))
    segment_->damaged("the ring from process {} to process {} says that it is another's",
                      number(me), number(to));
  look_for_units();
  kept_all_taken();
  if (auto const wants = ring_->wants_room.load(std::memory_order_relaxed); wants > 1)
    damaged("room is wanted", wants);
  for (auto position = consumed_; position < position_;) {
    auto const index = static_cast<std::uint32_t>(position % ring_units);
    auto const length =
        ring_->records[index].commit.load(std::memory_order_relaxed) - commit_at(key_, position);
    bool const pads = length == padding;
    if (!pads && (length > largest_payload || !is_whole(ring_->records[index].header, length)))
      segment_->damaged("a record in the ring from process {} to process {} has been overwritten",
                        number(me), number(to));
    position += pads ? ring_units - index : units_of(length);
  }
}

bool RingWriter::ask_for_room() {
  ring_->wants_room.store(1, std::memory_order_release);
  fence();  // pairs with the one in RingReader::publish(): flag and look here, move and look there
  return has_room();
}

void RingWriter::keep(Segment& segment, Arena& arena, Header const& header, Gather const& payload) {
  release_taken(arena);
  const std::size_t size = payload.size();
  bool const inside = size <= largest_inline;
  Block block{.node_size = sizeof(Kept) + (inside ? size : 0), .body_size = inside ? 0 : size};
  block.node = arena.take(block.node_size);
  Kept& kept = *new (segment.address(block.node)) Kept{.position = position_, .size = size};
  write(kept.header, header, size);
  if (inside) {
    copy(payload, {segment.address(block.node) + sizeof(Kept), size});
  } else {
    try {
      block.body = kept.body = arena.take(size);
      segment.write(block.body, payload);
    } catch (...) {
      if (block.body) arena.give(block.body, size);
      arena.give(block.node, block.node_size);
      throw;
    }
  }
  append(segment, block);
}

void RingWriter::append(Segment& segment, Block const& block) {
  if (!blocks_) blocks_ = std::make_unique<std::deque<Block>>();
  auto& link = blocks_->empty() ? ring_->first_kept : segment.at<Kept>(blocks_->back().node).next;
  blocks_->push_back(block);
  ++kept_;
  free_ = 0;  // kept packets go first
  link.store(block.node, std::memory_order_release);
}

/// The last one taken stays: the receiver finds the next one through it.
void RingWriter::release_taken(Arena& arena) {
  kept_all_taken();
  for (; returned_ + 1 < taken_ && blocks_ && blocks_->size() > 1; ++returned_) {
    Block const& block = blocks_->front();
    arena.give(block.node, block.node_size);
    if (block.body) arena.give(block.body, block.body_size);
    blocks_->pop_front();
  }
}

void RingWriter::close(Arena& arena) {
  if (blocks_)
    for (Block const& block : *blocks_) {
      arena.give(block.node, block.node_size);
      if (block.body) arena.give(block.body, block.body_size);
    }
  arena.give_ring(at_);
  *this = {};
}

std::size_t RingReader::drain_rest(PacketSink& sink, std::size_t most) {
  std::size_t taken = 0;
  for (std::size_t looks = 0; looks < most; ++looks) {
    const std::uint64_t length = committed();
    if (length < padding) {
      take_record(length, sink);
      ++taken;
    } else if (length == padding) {
      advance(ring_units - index_);
    } else if (kept_ready() && take_kept(sink)) {
      ++taken;
    } else {
      break;
    }
  }
  return taken;
}

void RingReader::refuse_wish(std::uint32_t wants) const {
  segment_->damaged("process {} has an invalid waiting state for room ({})", number(source_),
                    wants);
}

void RingReader::refuse_record(std::uint64_t length) const {
  segment_->damaged("a record of process {} has {} bytes, more than fits", number(source_), length);
}

void RingReader::refuse_packet(Header const& header, std::uint64_t size) const {
  if (header.source != number(source_))
    segment_->damaged("a packet of process {} bears the name of another", number(source_));
  if (header.packet_kind() == Kind::none || header.packet_kind() > last_kind)
    segment_->damaged("a packet of process {} is of unknown kind {}", number(source_),
                      unsigned{static_cast<std::uint8_t>(header.kind)});
  if (!is_whole(header, size))
    segment_->damaged("the header of a packet of process {} has been overwritten", number(source_));
  segment_->damaged("a packet of process {} has {} bytes for a message of {}", number(source_),
                    size, std::uint64_t{header.length});
}

/// False: it comes later, the ring goes first.
bool RingReader::take_kept(PacketSink& sink) {
  Segment& segment = *segment_;
  const Offset offset = next_kept_->load(std::memory_order_acquire);
  auto fits = [&](Offset at, std::uint64_t size) { return segment.taken(at, size); };
  if (offset % sizeof(std::uint64_t) != 0 || !fits(offset, sizeof(Kept)) ||
      offset % extent > extent - sizeof(Kept))
    segment.damaged("a packet that process {} keeps has the invalid offset {:#x}", number(source_),
                    offset);
  Kept const& kept = segment.at<Kept>(offset);
  if (kept.position > position_) return false;
  if (kept.position < position_)
    segment.damaged("process {} keeps a packet whose turn has passed", number(source_));
  const std::uint64_t size = kept.size;
  const Offset body = kept.body;
  bool const inside = body == 0;
  if (inside ? offset % extent + sizeof(Kept) + size > extent || size > largest_inline
             : !fits(body, size))
    segment.damaged("process {} keeps a packet of {} bytes, more than there is", number(source_),
                    size);
  const Header header = checked(kept.header, size);
  next_kept_ = &kept.next;
  ++kept_taken_;
  if (inside) {
    sink.packet(header, {reinterpret_cast<std::byte const*>(&kept + 1), size});
  } else {
    Buffer whole(size);
    segment.read(body, Scatter{whole.room()});
    sink.packet(header, whole.bytes());
  }
  ring_->kept_taken.store(kept_taken_, std::memory_order_release);
  list_emptied_ = !kept_ready();
  return true;
}

void RingReader::check(Rank me) const {
  if (ring_->source != number(source_) || ring_->dest != number(me))
    segment_->damaged("the ring from process {} to process {} says that it is another's",
                      number(source_), number(me));
}

/// A record that follows the next one, which is not there: then that has been overwritten.
bool RingReader::has_record_behind() const {
  for (std::uint32_t units = 1; units < ring_units; ++units) {
    auto const& record = ring_->records[(index_ + units) % ring_units];
    auto const expected = expected_ + (std::uint64_t{units} << 16);
    if (record.commit.load(std::memory_order_relaxed) - expected <= padding) return true;
  }
  return false;
}

/// A killed sender has not said how much it had written.
void RingReader::check_end() const {
  auto const written = ring_->written.load(std::memory_order_relaxed);
  if (written == 0 ? has_record_behind() : written != position_ + 1)
    segment_->damaged("packets in the ring from process {} to process {} have been overwritten",
                      number(source_), ring_->dest);
}

bool RingReader::publish() {
  published_ = position_;
  list_emptied_ = false;
  ring_->consumed.store(position_, std::memory_order_release);
  fence();
  auto const wants = ring_->wants_room.load(std::memory_order_relaxed);
  if (wants > 1) [[unlikely]]
    refuse_wish(wants);
  return wants != 0 && ring_->wants_room.exchange(0, std::memory_order_acq_rel) != 0;
}

}  // namespace earl::shm
