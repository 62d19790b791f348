// SPDX-License-Identifier: BSD-3-Clause
/// The types that every part of Earl uses for processes, messages and time.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>

namespace earl {

/// 0..n-1 in one job, given by EXEC in order of creation; never a native id.
enum class Rank : std::int32_t {};
inline constexpr Rank any_rank{-1};
inline constexpr Rank no_rank{-2};
/// EXEC itself, as the source of its messages to a process (deaths, joins).
inline constexpr Rank exec_rank{-3};

constexpr std::int32_t number(Rank rank) { return static_cast<std::int32_t>(rank); }
constexpr std::size_t index(Rank rank) { return static_cast<std::size_t>(number(rank)); }

/// The sender's mark on a message, by which a receiver selects: NX type, PVM tag, MPI tag.
enum class Tag : std::int32_t {};
constexpr std::int32_t number(Tag tag) { return static_cast<std::int32_t>(tag); }

/// The owner of a context. Only `user` contexts are numbered, recorded and seen by wildcards.
enum class Space : std::uint8_t { user = 0, collective = 1, control = 2, front_end = 3 };

/// Messages of different contexts never meet: a space (top byte) and an id.
enum class Context : std::uint64_t {};

constexpr Context context_of(Space space, std::uint64_t id) {
  return Context{static_cast<std::uint64_t>(space) << 56 | id};
}
constexpr Space space_of(Context context) {
  return static_cast<Space>(static_cast<std::uint64_t>(context) >> 56);
}
constexpr std::uint64_t id_of(Context context) {
  return static_cast<std::uint64_t>(context) & 0x00ff'ffff'ffff'ffff;
}

/// Where every front end starts, so that programs of different front ends can meet.
inline constexpr Context common_context = context_of(Space::user, 0);

/// When a send is complete. standard: the buffer is reusable, may wait for the receiver when the
/// message is long. buffered: never waits for the receiver. synchronous: the receiver has the
/// data. ready: like standard; the program promises that the receive is posted.
/// buffered_by_default and standard_by_default: as buffered and standard, though the API promises
/// no room for any message; a debugger may demand that they wait (SendRule).
enum class Mode : std::uint8_t {
  standard,
  buffered,
  synchronous,
  ready,
  buffered_by_default,
  standard_by_default
};

/// Whether a send that does not wait for its receiver relies on room that its API has not promised.
constexpr bool is_by_default(Mode mode) {
  return mode == Mode::buffered_by_default || mode == Mode::standard_by_default;
}

/// The representation of the payload. The core carries it and never looks.
enum class Encoding : std::uint8_t { raw = 0, xdr = 1, trace = 2 };

/// One message as matching sees it.
struct Envelope {
  Rank source = no_rank;
  Rank dest = no_rank;
  Context context = common_context;
  Tag tag{0};
  std::uint64_t length = 0;  ///< bytes
  Mode mode = Mode::standard;
  Encoding encoding = Encoding::raw;
  std::uint32_t word = 0;  ///< the sending front end's own; the core carries it and never looks

  bool operator==(Envelope const&) const = default;
};

/// The same in every faithful replay on every back end: the n-th user send (from 0, over all user
/// contexts) from `source` to the process that holds this id. Internal contexts have none.
struct MessageId {
  Rank source = no_rank;
  std::uint64_t sequence = 0;

  bool operator==(MessageId const&) const = default;
};

using Clock = std::chrono::steady_clock;
using Deadline = Clock::time_point;
inline constexpr Deadline never = Deadline::max();

}  // namespace earl
