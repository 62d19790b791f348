#include "backends/shm/ring.hpp"

#include <algorithm>
#include <utility>

#include "backends/shm/door.hpp"
#include "generic/error.hpp"
#include "generic/port.hpp"

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
  consumed_ = ring_->consumed.load(std::memory_order_acquire);
  return position_ - consumed_ + needed_ <= ring_units;
}

bool RingWriter::kept_all_taken() {
  taken_ = ring_->kept_taken.load(std::memory_order_acquire);
  return taken_ == kept_;
}

bool RingWriter::ask_for_room() {
  ring_->wants_room.store(1, std::memory_order_release);
  fence();  // pairs with the one in RingReader::publish(): flag and look here, move and look there
  return has_room();
}

void RingWriter::keep(Segment& segment, Arena& arena, Header const& header, Gather const& payload) {
  give_back_taken(arena);
  const std::size_t size = payload.size();
  bool const inside = size <= largest_inline;
  Block block{.node_size = sizeof(Kept) + (inside ? size : 0), .body_size = inside ? 0 : size};
  block.node = arena.take(block.node_size);
  Kept& kept = *new (segment.address(block.node))
                   Kept{.position = position_, .size = size, .header = header};
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
  free_ = 0;  // what is kept goes first
  link.store(block.node, std::memory_order_release);
}

/// The last one taken stays: the receiver finds the next one through it.
void RingWriter::give_back_taken(Arena& arena) {
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

std::size_t RingReader::drain_rest(Segment& segment, PacketSink& sink, std::size_t most) {
  std::size_t taken = 0;
  for (std::size_t looks = 0; looks < most; ++looks) {
    const std::uint64_t length = committed();
    if (length < padding) {
      take_record(length, sink);
      ++taken;
    } else if (length == padding) {
      advance(ring_units - index_);
    } else if (kept_ready() && take_kept(segment, sink)) {
      ++taken;
    } else {
      break;
    }
  }
  return taken;
}

void RingReader::refuse_record(std::uint64_t length) const {
  throw Error("process {} sent a record of {} bytes, more than fits; its memory is damaged",
              number(source_), length);
}

void RingReader::distrust(Header const& header, std::uint64_t size) const {
  if (header.source != number(source_))
    throw Error("process {} sent a packet in the name of process {}; its memory is damaged",
                number(source_), header.source);
  if (header.packet_kind() != Kind::eager)
    throw Error("process {} sent a packet of unknown kind {}; its memory is damaged",
                number(source_), unsigned{static_cast<std::uint8_t>(header.kind)});
  throw Error("process {} sent {} bytes as a message of {}; its memory is damaged", number(source_),
              size, std::uint64_t{header.length});
}

/// False: it comes later, the ring goes first.
bool RingReader::take_kept(Segment& segment, PacketSink& sink) {
  const Offset offset = next_kept_->load(std::memory_order_acquire);
  auto fits = [&](Offset at, std::uint64_t size) { return segment.taken(at, size); };
  if (offset % sizeof(std::uint64_t) != 0 || !fits(offset, sizeof(Kept)) ||
      offset % extent > extent - sizeof(Kept))
    throw Error(
        "process {} refers to a packet at {:#x}, where there is none; its memory is damaged",
        number(source_), offset);
  Kept const& kept = segment.at<Kept>(offset);
  if (kept.position > position_) return false;
  if (kept.position < position_)
    throw Error("process {} keeps a packet whose turn has passed; its memory is damaged",
                number(source_));
  const std::uint64_t size = kept.size;
  const Offset body = kept.body;
  bool const inside = body == 0;
  if (inside ? offset % extent + sizeof(Kept) + size > extent || size > largest_inline
             : !fits(body, size))
    throw Error("process {} keeps a packet of {} bytes, more than there is; its memory is damaged",
                number(source_), size);
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

bool RingReader::publish() {
  published_ = position_;
  list_emptied_ = false;
  ring_->consumed.store(position_, std::memory_order_release);
  fence();
  return ring_->wants_room.load(std::memory_order_relaxed) != 0 &&
         ring_->wants_room.exchange(0, std::memory_order_acq_rel) != 0;
}

}  // namespace earl::shm
