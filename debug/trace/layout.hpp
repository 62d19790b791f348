// SPDX-License-Identifier: BSD-3-Clause
/// The trace file as bytes, little-endian. One file per rank, `r00012.ert`, and EXEC's own,
/// `exec.ert`:
///
///     file header (64 bytes) | frames ... | gap | tail header (64 bytes) | tail
///
/// A frame is a finished piece of the record with its own checksum; any one decodes alone. The tail
/// is the frame being written, uncompressed, in shared memory: what is committed there survives
/// SIGKILL of its writer. The gap is where the tail's contents go when they become a frame, so that
/// nothing is ever overwritten that is not yet elsewhere. An orderly end leaves neither gap nor
/// tail, and a last frame that says `end`.
///
/// Where only the latest part is kept, the file has a hole from its second page to the oldest kept
/// frame.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <cstring>

#include "generic/base/bytes.hpp"
#include "generic/base/values.hpp"

namespace earl::trace {

inline constexpr std::array<char, 8> file_magic = {'E', 'A', 'R', 'L', 'T', 'R', 'C', '1'};
inline constexpr std::uint16_t format_major = 4;  ///< another one cannot be read
inline constexpr std::uint16_t format_minor = 1;  ///< only ever adds
inline constexpr std::uint32_t frame_magic = 0x4d52'4645;
inline constexpr std::uint32_t tail_magic = 0x4c49'4154;

/// The same in all files of one recording.
struct RunId {
  std::uint64_t high = 0;
  std::uint64_t low = 0;

  bool operator==(RunId const&) const = default;
};

struct FileHeader {
  std::array<char, 8> magic = file_magic;
  std::uint16_t major = format_major;
  std::uint16_t minor = format_minor;
  std::int32_t rank = number(no_rank);  ///< exec_rank: EXEC's stream
  RunId run{};
  std::uint32_t initial = 0;    ///< processes the job was started with
  std::uint32_t tail_room = 0;  ///< bytes of record the tail holds
  std::uint32_t crc = 0;        ///< of all before it
  std::uint32_t reserved = 0;
  std::atomic<std::uint64_t> tail_offset = 0;  ///< 0: no tail, the file is closed
  /// Offset of the oldest frame that is kept, one of kind `prefix`; 0: all are.
  std::atomic<std::uint64_t> kept_from = 0;
};
static_assert(sizeof(FileHeader) == 64);
inline constexpr std::size_t header_checked_bytes = 40;

enum class FrameKind : std::uint8_t {
  none = 0,
  order = 1,   ///< outcomes
  job = 2,     ///< the operations that EXEC served
  note = 3,    ///< a sentence for the user: why the record stops here
  end = 4,     ///< the process ended orderly
  events = 5,  ///< all that a process did (debug/events)
  prefix = 6,  ///< what must be known of all frames before it (prefix.hpp)
};

enum class Codec : std::uint8_t { raw = 0, zstd = 1 };

/// Frames start at multiples of 8.
struct FrameHeader {
  std::uint32_t magic = frame_magic;
  FrameKind kind = FrameKind::none;
  Codec codec = Codec::raw;
  std::uint16_t flags = 0;
  std::uint32_t sequence = 0;     ///< counts the file's frames from 0
  std::uint32_t stored = 0;       ///< bytes that follow
  std::uint64_t first_event = 0;  ///< event under way when the frame was begun
  std::uint32_t raw = 0;          ///< bytes after decompression
  std::uint32_t crc = 0;          ///< of this header with crc 0, then of the stored bytes
};
static_assert(sizeof(FrameHeader) == 32);

/// Largest frame that a reader accepts.
inline constexpr std::uint32_t most_frame_bytes = 1U << 24;

struct TailHeader {
  std::uint32_t magic = tail_magic;
  std::atomic<std::uint32_t> sequence = 0;  ///< of the frame this will be; older ones are stale
  std::uint64_t first_event = 0;
  std::atomic<std::uint64_t> committed = 0;  ///< low half: bytes; high half: open run of misses
  std::atomic<std::uint64_t> events = 0;     ///< API calls begun
  FrameKind kind = FrameKind::order;
  std::array<std::uint8_t, 7> reserved{};
  /// High half: bytes; low half: their crc. Stored before `committed`, so it may be ahead by one
  /// record, which is then there, too.
  std::atomic<std::uint64_t> check = 0;
  std::array<std::uint8_t, 16> reserved_too{};
};
static_assert(sizeof(TailHeader) == 64);

constexpr std::uint64_t commit_word(std::uint32_t bytes, std::uint32_t misses) {
  return static_cast<std::uint64_t>(misses) << 32 | bytes;
}
constexpr std::uint32_t committed_bytes(std::uint64_t word) {
  return static_cast<std::uint32_t>(word);
}
constexpr std::uint32_t committed_misses(std::uint64_t word) {
  return static_cast<std::uint32_t>(word >> 32);
}

constexpr std::uint64_t check_word(std::uint32_t bytes, std::uint32_t crc) {
  return static_cast<std::uint64_t>(bytes) << 32 | crc;
}

constexpr std::uint64_t aligned(std::uint64_t size, std::uint64_t unit) {
  return (size + unit - 1) / unit * unit;
}

/// A number that lies at `offset` in a file's bytes.
template <class T>
T field(Bytes bytes, std::size_t offset) {
  T value{};
  std::memcpy(&value, bytes.data() + offset, sizeof value);
  return value;
}

}  // namespace earl::trace
