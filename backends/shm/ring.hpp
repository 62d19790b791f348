// SPDX-License-Identifier: BSD-3-Clause
/// The two ends of a ring: packets from one process to another, in order, without a lock. Packets
/// that do not fit are kept in a list beside the ring and take their turn by position.
#pragma once

#include <array>
#include <cstring>
#include <deque>
#include <memory>
#include <utility>

#include "backends/shm/arena.hpp"
#include "generic/base/short_copy.hpp"
#include "generic/seams/port.hpp"

namespace earl::shm {

/// The first word of a record at a position, before the payload's length is added.
constexpr std::uint64_t commit_at(std::uint64_t key, std::uint64_t position) {
  return (key + position) << 16;
}

using HeaderWords = std::array<std::uint64_t, sizeof(Header) / sizeof(std::uint64_t)>;
/// The last word of a header is the checksum of the others.
static_assert(offsetof(Header, spare) == sizeof(Header) - sizeof(std::uint64_t));

inline HeaderWords words_of(Header const& header) {
  HeaderWords words;
  std::memcpy(words.data(), &header, sizeof header);
  return words;
}

/// Checksum of a header and its payload's size: differs if any one word of them has been
/// overwritten.
constexpr std::uint64_t check_of(HeaderWords const& words, std::uint64_t size) {
  return words[0] ^ words[1] ^ words[2] ^ words[3] ^ size;
}
inline bool is_whole(Header const& header, std::uint64_t size) {
  auto const words = words_of(header);
  return words.back() == check_of(words, size);
}

/// In words, as the core has just written it: a CPU stalls on a load that follows narrower stores
/// to the same bytes. Atomic only so that no compiler joins them.
template <std::size_t... Word>
void write(Header& to, HeaderWords const& words, std::index_sequence<Word...>) {
  auto* const place = reinterpret_cast<Shared<std::uint64_t>*>(&to);
  (place[Word].store(words[Word], std::memory_order_relaxed), ...);
}
inline void write(Header& to, Header const& header, std::uint64_t size) {
  auto words = words_of(header);
  words.back() = check_of(words, size);
  write(to, words, std::make_index_sequence<std::tuple_size_v<HeaderWords>>{});
}

/// Where a payload ends within the first word of a unit, the rest of that word may be that of an
/// old commit word: a part of a new one, which the payload's bytes could complete. Zeros cannot.
inline void clear_split_word(Record& record, std::size_t payload) {
  const std::size_t end = offsetof(Record, payload) + payload;
  if (end % unit - 1 < sizeof(std::uint64_t) - 1)
    (&record + end / unit)->commit.store(0, std::memory_order_relaxed);
}

/// The sender's end.
class RingWriter {
 public:
  bool open() const { return ring_ != nullptr; }
  /// `at`: of Arena::take_ring(). The segment stays where it is.
  void open(Segment& segment, Offset at) {
    segment_ = &segment, at_ = at, ring_ = &segment.at<Ring>(at), key_ = segment.key();
  }

  /// False: no room, or kept packets come first. Then has_room() says when to try again. Throws
  /// Error (no_memory) when there is no more for the ring.
  bool put(Header const& header, Gather const& payload) {
    const std::size_t size = payload.size();
    const std::uint32_t units = units_of(size);
    if (units > free_ && !find_place(units)) [[unlikely]]
      return false;
    Record& record = ring_->records[index_];
    write(record.header, header, size);
    if (units > 1) clear_split_word(record, size);
    if (payload.contiguous()) [[likely]]
      copy_short(payload.only(), {record.payload, size});
    else
      copy(payload, {record.payload, size});
    record.commit.store(commit_at(key_, position_) | size, std::memory_order_release);
    position_ += units;
    index_ += units;
    free_ -= units;
    return true;
  }
  /// Whether the head of the ring and all records that the receiver may not have read are as they
  /// were written. Throws MemoryDamage.
  void check(Rank me, Rank to);
  /// The sender leaves, and has put its last packet.
  void finish() { ring_->written.store(position_ + 1, std::memory_order_relaxed); }
  /// No process reads it any more: gives its memory back.
  void close(Arena& arena);
  Offset at() const { return at_; }

  /// Appends a packet behind everything. Throws Error (no_memory).
  void keep(Segment& segment, Arena& arena, Header const& header, Gather const& payload);

  /// The receiver may not have read all.
  bool unread() const { return open() && (consumed_ != position_ || kept_ != taken_); }
  /// Whether the last put() would succeed now.
  bool has_room() { return (kept_ == taken_ || kept_all_taken()) && has_units(); }
  /// The same, after asking the receiver to ring the sender's door when it makes room.
  bool ask_for_room();

 private:
  struct Block {
    Offset node = 0;
    std::uint64_t node_size = 0;
    Offset body = 0;
    std::uint64_t body_size = 0;
  };

  [[gnu::noinline]] bool find_place(std::uint32_t units);
  bool has_units() { return position_ - consumed_ + needed_ <= ring_units || look_for_units(); }
  bool look_for_units();
  void claim(std::uint32_t end);
  bool kept_all_taken();
  [[noreturn, gnu::cold]] void damaged(char const* name, std::uint64_t value) const;
  void start_again();
  void append(Segment& segment, Block const& block);
  void release_taken(Arena& arena);

  Ring* ring_ = nullptr;
  std::uint64_t key_ = 0;
  Segment* segment_ = nullptr;
  Offset at_ = 0;
  std::uint64_t claimed_ = page;  ///< bytes of the ring that have memory
  std::uint64_t position_ = 0;    ///< units written
  std::uint64_t consumed_ = 0;    ///< units known to be read
  std::uint32_t index_ = 0;       ///< position within the ring, or its end
  std::uint32_t free_ = 0;        ///< units from there to the ring's end that are known to be free
  std::uint32_t needed_ = 0;      ///< units that the last put() without them looked for
  std::uint64_t kept_ = 0;        ///< packets ever kept
  std::uint64_t taken_ = 0;       ///< of these, known to be taken
  std::uint64_t returned_ = 0;    ///< of these, given back to the arena
  std::unique_ptr<std::deque<Block>> blocks_;  ///< those not given back; most rings keep nothing
};

/// The receiver's end. All data read is checked: `source` may be corrupted.
class RingReader {
 public:
  bool open() const { return ring_ != nullptr; }
  void open(Segment& segment, Ring& ring, Rank source) {
    segment_ = &segment, ring_ = &ring, next_kept_ = &ring.first_kept;
    expected_ = commit_at(segment.key(), 0), source_ = source;
  }

  /// A packet is there.
  bool ready() const { return committed() < 0x1'0000 || kept_ready(); }

  /// Hands over one packet if it lies in the ring right now; does not look behind it, because that
  /// cache line is still the sender's.
  bool take_one(PacketSink& sink) {
    const std::uint64_t length = committed();
    if (length >= padding) return false;
    take_record(length, sink);
    return true;
  }

  /// Hands over at most `most` packets; says how many. Throws MemoryDamage on a record that no
  /// Earl process writes.
  std::size_t drain(PacketSink& sink, std::size_t most) {
    for (std::size_t taken = 0; taken < most; ++taken) {
      const std::uint64_t length = committed();
      if (length < padding) [[likely]]
        take_record(length, sink);
      else if (length == padding || kept_ready()) [[unlikely]]
        return taken + drain_rest(sink, most - taken);
      else
        return taken;
    }
    return most;
  }

  /// Publishes the read position; true: the sender waits for it, ring its door.
  [[nodiscard]] bool publish();
  bool unpublished() const { return position_ != published_ || list_emptied_; }
  /// Enough has been read that the sender may be waiting for it.
  bool much_unpublished() const { return position_ - published_ > ring_units / 4 || list_emptied_; }

  /// Failed looks since the last packet.
  std::uint32_t idle = 0;

  /// Whether the ring's head is as it was when it was opened.
  void check(Rank me) const;
  /// For a sender that has ended, when no packet of its is there any more: whether one should be.
  void check_end() const;

 private:
  bool has_record_behind() const;
  /// The payload's length if a record is there, else more than 16 bits.
  std::uint64_t committed() const {
    return ring_->records[index_].commit.load(std::memory_order_acquire) - expected_;
  }
  bool kept_ready() const { return next_kept_->load(std::memory_order_relaxed) != 0; }
  void advance(std::uint32_t units) {
    position_ += units;
    expected_ += std::uint64_t{units} << 16;
    index_ = index_ + units == ring_units ? 0 : index_ + units;
  }
  void take_record(std::uint64_t length, PacketSink& sink) {
    const std::uint32_t units = units_of(length);
    if (length > largest_payload || units > ring_units - index_) [[unlikely]]
      refuse_record(length);
    Record const& record = ring_->records[index_];
    // A copy: checked data must not change any more.
    const Header header = checked(record.header, length);
    advance(units);  // first, so that a sink that throws does not get the packet again
    sink.packet(header, {record.payload, length});
  }
  [[noreturn]] void refuse_record(std::uint64_t length) const;
  [[noreturn, gnu::cold]] void refuse_wish(std::uint32_t wants) const;
  /// Padding and kept packets, and the records behind them.
  std::size_t drain_rest(PacketSink& sink, std::size_t most);
  bool take_kept(PacketSink& sink);
  /// No Earl process writes such a header.
  [[noreturn]] void refuse_packet(Header const& header, std::uint64_t size) const;
  Header checked(Header const& header, std::uint64_t size) const {
    const Header own = header;
    auto const kind = own.packet_kind();
    bool const sound = is_whole(own, size) && own.source == number(source_) && kind != Kind::none &&
                       kind <= last_kind && (kind != Kind::eager || own.length == size);
    if (!sound) [[unlikely]]
      refuse_packet(own, size);
    return own;
  }

  Ring* ring_ = nullptr;
  Segment* segment_ = nullptr;
  std::uint64_t expected_ = 0;  ///< commit word of the next record
  std::uint64_t position_ = 0;
  std::uint64_t published_ = 0;
  Shared<Offset> const* next_kept_ = nullptr;
  std::uint64_t kept_taken_ = 0;
  bool list_emptied_ = false;  ///< the last kept packet has been taken, unpublished
  std::uint32_t index_ = 0;
  Rank source_ = no_rank;
};

}  // namespace earl::shm
