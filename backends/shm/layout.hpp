// SPDX-License-Identifier: BSD-3-Clause
/// The layout of the job's shared memory. One file in memory, many processes; everything in it
/// is referred to by its offset in the file, because each process maps it elsewhere.
///
///     head | list of ended ranks | doors | ring directory | runs | boards | extents ...
///
/// The file is sparse and as long as it can ever be: untouched pages cost nothing. A process
/// has the slot of its rank's low bits: a door, a row and a column of the directory. The higher
/// bits, its incarnation, are in its door, and both ranks are in every ring.
#pragma once

#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>

#include "generic/base/round_up.hpp"
#include "generic/message/header.hpp"
#include "generic/system/awake.hpp"
#include "generic/system/doorbell.hpp"

namespace earl::shm {

/// A word that several processes read and write. Only lock-free ones work across processes.
template <class T>
using Shared = std::atomic<T>;
static_assert(Shared<std::uint32_t>::is_always_lock_free);
static_assert(Shared<std::uint64_t>::is_always_lock_free);

/// A place in the job's file; 0 is the head, so it also means "nowhere".
using Offset = std::uint64_t;

inline constexpr std::uint64_t segment_magic = 0x31'4d48'534c'5241;  // "ARLSHM1"
inline constexpr std::uint32_t segment_version = 9;

inline constexpr std::size_t cache_line = 64;
inline constexpr std::size_t page = 4096;
/// The unit in which a process maps the file: few mappings, and address space that grows with use.
inline constexpr std::size_t window = std::size_t{64} << 20;
/// The unit in which a process takes memory from the job. Divides the window, so no block crosses
/// one.
inline constexpr std::size_t extent = std::size_t{1} << 20;
/// The limit of a directory entry (32 bits, counting pages).
inline constexpr Offset file_size = Offset{page} << 32;
inline constexpr std::uint32_t most_processes = 65'536;
inline constexpr std::uint64_t most_extents = file_size / extent;
/// Groups of processes that can have a board at once, and the size of one, which divides the
/// window.
inline constexpr std::uint64_t most_boards = 8192;
inline constexpr std::size_t board_bytes = std::size_t{16} * 1024;
/// Longer runs of extents come back in pieces of so many.
inline constexpr std::uint32_t longest_run = 63;

/// Start of the file. Constants first; then words on cache lines of their own by writer.
struct Head {
  std::uint64_t magic = 0;
  std::uint32_t version = 0;
  std::uint32_t capacity = 0;
  std::uint64_t key = 0;   ///< random: base of a ring's commit words
  std::uint32_t cpus = 1;  ///< that the job may use
  std::uint32_t one_sided =
      0;  ///< not 0: a process about to sleep fences for all, senders need not
  alignas(cache_line) Shared<Offset> next_extent = 0;
  alignas(cache_line) Shared<std::uint32_t> processes = 0;  ///< how many compete for the CPUs
  Shared<std::uint32_t> damaged = 0;  ///< not 0: a process has found damage and reports it
  Shared<std::uint32_t> deaths =
      0;  ///< ever written into the list of ended ranks, which is a circle
  /// By length, runs of extents whose processes have ended: the first one's number from 1, and in
  /// the upper half a change counter, so that no process takes a run that was taken and came back.
  alignas(cache_line) Shared<std::uint64_t> free_runs[longest_run + 1] = {};
  AwakeTable awake{};
};

/// Extents that were taken together, at the number of the first: in the list of their process, or
/// among those that are free.
struct Run {
  Shared<std::uint32_t> next = 0;  ///< number from 1; 0: none
  Shared<std::uint32_t> count = 0;
};

enum class ProcessState : std::uint32_t { unborn = 0, living, ended };

/// A process's waiting state. Read by all its senders; in the steady state only read, so that the
/// line stays in everyone's cache. The sets of ranks follow, at Layout's distances.
struct Door : Doorbell {
  Shared<std::uint32_t> control_notices = 0;  ///< how often EXEC has written to the control channel
  Shared<std::uint32_t> state = 0;            ///< state_word()
  Shared<std::uint32_t> runs = 0;      ///< the first of its runs, by number from 1; it alone adds
  Shared<std::uint32_t> awake_on = 0;  ///< its row of Head::awake, from 1; 0: it sleeps
};
static_assert(sizeof(Door) <= cache_line);

constexpr std::uint32_t state_word(std::uint32_t incarnation, ProcessState state) {
  return incarnation << 2 | static_cast<std::uint32_t>(state);
}
constexpr ProcessState state_in(std::uint32_t word) { return static_cast<ProcessState>(word & 3); }
/// Whether the process of that incarnation has ended, or another has its slot.
constexpr bool ended_in(std::uint32_t word, std::uint32_t incarnation) {
  return (word ^ state_word(incarnation, ProcessState::unborn)) >=
         static_cast<std::uint32_t>(ProcessState::ended);
}

/// Rings are counted in units of a cache line. A record is a unit or more, never wraps, and is
/// there as soon as its first word has the value expected at this position.
inline constexpr std::size_t unit = cache_line;

struct Record {
  /// Upper 48 bits: key + position, so that no earlier content can pass for a record. It is always
  /// written whole: half an old one and half a payload could. Lower 16: the payload's length, or
  /// `padding`.
  Shared<std::uint64_t> commit = 0;
  Header header{};
  std::byte payload[unit - sizeof(std::uint64_t) - sizeof(Header)] = {};
};
static_assert(sizeof(Record) == unit && offsetof(Record, payload) == 48);

inline constexpr std::size_t ring_bytes = 32 * 1024;
inline constexpr std::uint32_t ring_units = ring_bytes / unit - 1;
inline constexpr std::uint32_t padding = 0xffff;  ///< the rest of the ring is not used this time

/// A record of u units may need u - 1 more to get past the end of the ring. Both must fit an empty
/// ring, else a large message might never leave.
inline constexpr std::uint32_t record_units = (ring_units + 1) / 2;
inline constexpr std::size_t largest_payload = record_units * unit - offsetof(Record, payload);
static_assert(2 * record_units - 1 <= ring_units);

constexpr std::uint32_t units_of(std::size_t payload) {
  return static_cast<std::uint32_t>((offsetof(Record, payload) + payload + unit - 1) / unit);
}

/// Packets on their way from one process to another, in the sender's memory.
struct Ring {
  Shared<std::uint64_t> consumed = 0;    ///< units the receiver has read
  Shared<std::uint64_t> kept_taken = 0;  ///< kept packets the receiver has taken
  Shared<Offset> first_kept = 0;         ///< where the first kept packet ever lies
  Shared<std::uint32_t> wants_room = 0;  ///< the sender waits; ring its door
  std::int32_t source = 0;               ///< Ranks; the directory only knows slots
  std::int32_t dest = 0;
  /// Units that its sender has written in all, and 1; 0: it has not left in good order.
  Shared<std::uint64_t> written = 0;
  alignas(cache_line) Record records[ring_units];
};
static_assert(sizeof(Ring) == ring_bytes);

/// A packet that did not fit the ring. Its payload follows, or lies at `body` when it is large.
struct Kept {
  Shared<Offset> next = 0;     ///< the packet kept after this one, once there is one
  std::uint64_t position = 0;  ///< comes when this many units of the ring have been read
  std::uint64_t size = 0;
  Offset body = 0;
  Header header{};
};
static_assert(sizeof(Kept) == 72);
/// Larger kept payloads are read and written as a file: no mapping is large enough for all.
inline constexpr std::size_t largest_inline = 64 * 1024;

/// Where things are in a job of this capacity, which is rounded up to a power of two.
struct Layout {
  explicit constexpr Layout(std::uint32_t processes)
      : capacity(std::bit_ceil(processes)),
        leaves((capacity + 63) / 64),
        summaries((leaves + 63) / 64),
        set_bytes((leaves + summaries) * sizeof(std::uint64_t)),
        door_bytes(std::bit_ceil(cache_line + 3 * round_up(set_bytes, cache_line))),
        row_bytes(std::bit_ceil(round_up(capacity * sizeof(std::uint32_t), cache_line))),
        ended_list(round_up(sizeof(Head), page)),
        doors(round_up(ended_list + capacity * sizeof(std::uint32_t), largest(page, door_bytes))),
        directory(round_up(doors + Offset{door_bytes} * capacity, largest(page, row_bytes))),
        runs(round_up(directory + Offset{row_bytes} * capacity, extent)),
        board_owners(round_up(runs + most_extents * sizeof(Run), extent)),
        boards(round_up(board_owners + most_boards * sizeof(std::uint64_t), extent)),
        extents(round_up(boards + most_boards * board_bytes, extent)) {}

  constexpr std::size_t slot(Rank rank) const { return index(rank) & (capacity - 1); }
  constexpr std::uint32_t incarnation(Rank rank) const {
    return static_cast<std::uint32_t>(index(rank) / capacity);
  }
  constexpr Rank rank_in(std::size_t slot, std::uint32_t incarnation) const {
    return Rank{static_cast<std::int32_t>(incarnation * capacity + slot)};
  }
  constexpr Offset door(Rank rank) const { return doors + Offset{door_bytes} * slot(rank); }
  /// Ranks that have sent to this one: look at their rings.
  constexpr Offset active_set(Rank rank) const { return door(rank) + cache_line; }
  /// Ranks to notify of the end of this one.
  constexpr Offset interest_set(Rank rank) const {
    return active_set(rank) + round_up(set_bytes, cache_line);
  }
  /// Ranks that have had a ring to this one, or from it.
  constexpr Offset contact_set(Rank rank) const {
    return interest_set(rank) + round_up(set_bytes, cache_line);
  }
  /// The word that says where the ring from `source` to `dest` is, in pages.
  constexpr Offset directory_entry(Rank dest, Rank source) const {
    return row(dest) + sizeof(std::uint32_t) * slot(source);
  }
  constexpr Offset row(Rank dest) const { return directory + Offset{row_bytes} * slot(dest); }
  constexpr Offset ended_list_entry(std::uint32_t n) const {
    return ended_list + sizeof(std::uint32_t) * (n & (capacity - 1));
  }
  constexpr Offset run(std::uint64_t number) const { return runs + number * sizeof(Run); }
  constexpr Offset board_owner(std::uint64_t number) const {
    return board_owners + number % most_boards * sizeof(std::uint64_t);
  }
  constexpr Offset board(std::uint64_t number) const {
    return boards + number % most_boards * board_bytes;
  }

  static constexpr std::size_t largest(std::size_t a, std::size_t b) { return a > b ? a : b; }

  std::uint32_t capacity;
  std::uint32_t leaves;     ///< words of a set of ranks
  std::uint32_t summaries;  ///< words that say which of those are not 0
  std::size_t set_bytes;
  std::size_t door_bytes;  ///< a power of two, as row_bytes: none crosses a window
  std::size_t row_bytes;
  Offset ended_list;
  Offset doors;
  Offset directory;
  Offset runs;          ///< a Run for each extent of the file
  Offset board_owners;  ///< see boards.cpp
  Offset boards;        ///< see boards.hpp
  Offset extents;
};
static_assert(Layout{most_processes}.extents < file_size / 2);

}  // namespace earl::shm
