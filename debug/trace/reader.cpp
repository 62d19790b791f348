// SPDX-License-Identifier: BSD-3-Clause
#include "debug/trace/reader.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zstd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstddef>
#include <span>

#include "debug/trace/codec.hpp"
#include "generic/base/crc32c.hpp"
#include "generic/base/error.hpp"
#include "generic/system/descriptor.hpp"

namespace earl::trace {

namespace {

/// Looks for frames in pieces of this size.
constexpr std::size_t search_step = 1U << 16;

bool all_zero(std::span<std::byte const> bytes) {
  return std::ranges::all_of(bytes, [](std::byte byte) { return byte == std::byte{0}; });
}

}  // namespace

bool lacks_header(std::string const& path) {
  const Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  std::array<std::byte, sizeof(FileHeader)> bytes{};
  auto const n = file ? ::pread(file.get(), bytes.data(), bytes.size(), 0) : -1;
  return n >= 0 && all_zero(std::span{bytes}.first(static_cast<std::size_t>(n)));
}

TraceReader::TraceReader(std::string path) : path_(std::move(path)) {
  file_ = open(path_.c_str(), O_RDONLY | O_CLOEXEC);
  if (file_ < 0) throw Error("cannot read {}: {}", path_, system_message(errno));
  struct stat about {};
  if (fstat(file_, &about) == 0) size_ = static_cast<std::uint64_t>(about.st_size);
  try {
    read_header();
    read_tail();
    find_kept_part();
  } catch (...) {
    close(file_);
    throw;
  }
}

TraceReader::~TraceReader() { close(file_); }

bool TraceReader::read(std::uint64_t offset, MutableBytes to) const {
  while (!to.empty()) {
    auto const n = pread(file_, to.data(), to.size(), static_cast<off_t>(offset));
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return false;
    to = to.subspan(static_cast<std::size_t>(n));
    offset += static_cast<std::uint64_t>(n);
  }
  return true;
}

void TraceReader::read_header() {
  std::array<std::byte, sizeof(FileHeader)> bytes{};
  if (!read(0, bytes))
    throw Error("{} is no trace of Earl: it has {} bytes, a trace at least {}", path_, size_,
                bytes.size());
  if (all_zero(bytes))
    throw Error("{} is empty: its process was killed before it had made the file", path_);
  if (field<std::array<char, 8>>(bytes, offsetof(FileHeader, magic)) != file_magic)
    throw Error("{} is no trace of Earl: it does not begin with EARLTRC1", path_);
  auto const major = field<std::uint16_t>(bytes, offsetof(FileHeader, major));
  if (major != format_major)
    throw Error("{} is a trace in format {}, this Earl reads format {}: use the Earl that made it",
                path_, major, format_major);
  if (crc32c(Bytes{bytes}.first(header_checked_bytes)) !=
      field<std::uint32_t>(bytes, offsetof(FileHeader, crc)))
    throw Error("{} is damaged: the checksum of its first {} bytes is wrong", path_,
                header_checked_bytes);
  header_.rank = field<std::int32_t>(bytes, offsetof(FileHeader, rank));
  header_.initial = field<std::uint32_t>(bytes, offsetof(FileHeader, initial));
  header_.tail_room = field<std::uint32_t>(bytes, offsetof(FileHeader, tail_room));
  header_.tail_offset = field<std::uint64_t>(bytes, offsetof(FileHeader, tail_offset));
  header_.kept_from = field<std::uint64_t>(bytes, offsetof(FileHeader, kept_from));
  run_ = field<RunId>(bytes, offsetof(FileHeader, run));
}

/// Where its first frame is damaged, the reader finds the next one, and a gap before that.
void TraceReader::find_kept_part() {
  if (header_.kept_from < at_) return;
  at_ = header_.kept_from;
  FrameHeader frame;
  std::string contents;
  if (!read_frame(at_, frame, contents) || frame.kind != FrameKind::prefix) return;
  sequence_ = frame.sequence;
  prefix_ = Prefix::from(std::as_bytes(std::span{contents}));
}

void TraceReader::read_tail() {
  auto const offset = header_.tail_offset;
  if (offset < sizeof(FileHeader) || offset > size_ || header_.tail_room > most_frame_bytes) return;
  std::array<std::byte, sizeof(TailHeader)> bytes{};
  if (!read(offset, bytes)) return;
  if (field<std::uint32_t>(bytes, offsetof(TailHeader, magic)) != tail_magic) return;
  auto const word = field<std::uint64_t>(bytes, offsetof(TailHeader, committed));
  auto const length = committed_bytes(word);
  Tail tail;
  tail.sequence = field<std::uint32_t>(bytes, offsetof(TailHeader, sequence));
  tail.first_event = field<std::uint64_t>(bytes, offsetof(TailHeader, first_event));
  tail.events = field<std::uint64_t>(bytes, offsetof(TailHeader, events));
  tail.misses = committed_misses(word);
  tail.kind = field<FrameKind>(bytes, offsetof(TailHeader, kind));
  if (length > header_.tail_room) return;
  if (!tail_holds(field<std::uint64_t>(bytes, offsetof(TailHeader, check)), length,
                  offset + bytes.size()))
    return;
  auto const there = std::min<std::uint64_t>(length, size_ - offset - bytes.size());
  tail.record.resize(static_cast<std::size_t>(there));
  if (!read(offset + bytes.size(), std::as_writable_bytes(std::span{tail.record}))) return;
  // A record that the end of the file cuts has no open run behind it, and how far it went is lost.
  if (there < length) {
    tail.misses = 0;
    tail.events = tail.first_event;
  }
  tail_ = std::move(tail);
}

/// Whether the tail's record is as it was written. The part of it that a cut file still has is
/// believed: nothing can be known about it.
bool TraceReader::tail_holds(std::uint64_t check, std::uint32_t length, std::uint64_t at) const {
  auto const checked = static_cast<std::uint32_t>(check >> 32);
  if (at + std::max(checked, length) > size_) return true;
  if (checked < length || checked > header_.tail_room) return false;
  std::string record(checked, '\0');
  return read(at, std::as_writable_bytes(std::span{record})) &&
         crc32c(std::as_bytes(std::span{record})) == static_cast<std::uint32_t>(check);
}

bool TraceReader::read_frame(std::uint64_t offset, FrameHeader& frame,
                             std::string& contents) const {
  if (offset + sizeof frame > size_) return false;
  if (!read(offset, writable_bytes_of(frame))) return false;
  if (frame.magic != frame_magic || frame.raw > most_frame_bytes ||
      frame.stored > size_ - offset - sizeof frame || frame.stored > most_frame_bytes)
    return false;
  std::string stored(frame.stored, '\0');
  if (!read(offset + sizeof frame, std::as_writable_bytes(std::span{stored}))) return false;
  auto unsigned_frame = frame;
  unsigned_frame.crc = 0;
  if (crc32c(std::as_bytes(std::span{stored}), crc32c(bytes_of(unsigned_frame))) != frame.crc)
    return false;
  if (frame.codec == Codec::raw) {
    contents = std::move(stored);
    return contents.size() == frame.raw;
  }
  contents.resize(frame.raw);
  auto const size = ZSTD_decompress(contents.data(), contents.size(), stored.data(), stored.size());
  return frame.codec == Codec::zstd && ZSTD_isError(size) == 0 && size == frame.raw;
}

bool TraceReader::find_frame(FrameHeader& frame, std::string& contents) {
  if (read_frame(at_, frame, contents) && frame.sequence == sequence_) return true;
  return skip_to_frame(frame, contents);
}

// A frame behind damage is found by its magic number and verified by its checksum.
bool TraceReader::skip_to_frame(FrameHeader& frame, std::string& contents) {
  std::string piece;
  for (auto from = at_; from + sizeof frame <= size_; from += search_step) {
    // Frames begin at multiples of 8; a hole has none.
    auto const data = lseek(file_, static_cast<off_t>(from), SEEK_DATA);
    if (data > 0) from = std::max<std::uint64_t>(from, static_cast<std::uint64_t>(data) / 8 * 8);
    piece.resize(std::min<std::uint64_t>(search_step, size_ - from));
    if (!read(from, std::as_writable_bytes(std::span{piece}))) return false;
    for (std::size_t i = 0; i + 4 <= piece.size(); i += 8) {
      if (field<std::uint32_t>(std::as_bytes(std::span{piece}), i) != frame_magic) continue;
      if (!read_frame(from + i, frame, contents) || frame.sequence < sequence_) continue;
      note_gap(at_, from + i, frame.sequence - sequence_);
      at_ = from + i;
      return true;
    }
  }
  return false;
}

void TraceReader::note_gap(std::uint64_t from, std::uint64_t to, std::uint32_t frames) {
  ending_.gaps.push_back(
      {.offset = from, .bytes = to - from, .frames = frames, .after_event = last_begin_});
}

std::optional<TraceReader::Frame> TraceReader::next_frame() {
  while (auto raw = next_raw())
    if (raw->kind == FrameKind::order || raw->kind == FrameKind::job)
      return Frame{.contents = std::move(raw->contents), .open = raw->open};
  return std::nullopt;
}

std::optional<std::vector<Outcome>> TraceReader::next() {
  auto const frame = next_frame();
  if (!frame) return std::nullopt;
  auto outcomes = decode(std::as_bytes(std::span{frame->contents}));
  if (frame->open)
    for (auto const& outcome : outcomes) ending_.events = std::max(ending_.events, outcome.event);
  return outcomes;
}

std::optional<std::string> TraceReader::next_record(FrameKind kind) {
  while (auto raw = next_raw())
    if (raw->kind == kind) return std::move(raw->contents);
  return std::nullopt;
}

std::optional<TraceReader::Raw> TraceReader::next_raw() {
  FrameHeader frame;
  std::string contents;
  while (!over_ && find_frame(frame, contents)) {
    at_ += aligned(sizeof frame + frame.stored, 8);
    stored_ += sizeof frame + frame.stored;
    sequence_ = frame.sequence + 1;
    last_begin_ = frame.first_event;
    ending_.events = std::max(ending_.events, frame.first_event);
    switch (frame.kind) {
      case FrameKind::end:
        take_end(contents);
        return std::nullopt;
      case FrameKind::note:
        ending_.note = contents;
        continue;
      case FrameKind::prefix:
        if (auto const begun = Prefix::from(std::as_bytes(std::span{contents})))
          parts_.push_back(begun->first_event());
        continue;
      case FrameKind::order:
      case FrameKind::job:
      case FrameKind::events:
        return Raw{.kind = frame.kind, .contents = std::move(contents)};
      default:
        continue;  // a later minor version's
    }
  }
  if (over_) return std::nullopt;
  over_ = true;
  return open_frame();
}

std::optional<TraceReader::Raw> TraceReader::open_frame() {
  if (!tail_) {
    // A closed file without its end, or one whose tail is lost: the rest is damage, too.
    if (at_ < size_) note_gap(at_, size_, 1);
    return std::nullopt;
  }
  ending_.events = std::max(ending_.events, tail_->events);
  ending_.misses = tail_->misses;
  if (tail_->sequence < sequence_) return std::nullopt;
  if (tail_->sequence > sequence_) note_gap(at_, header_.tail_offset, tail_->sequence - sequence_);
  stored_ += sizeof(TailHeader) + tail_->record.size();
  return Raw{.kind = tail_->kind, .contents = std::move(tail_->record), .open = true};
}

void TraceReader::take_end(std::string const& contents) {
  over_ = true;
  Get numbers(std::as_bytes(std::span{contents}));
  ending_.events = numbers.number();
  ending_.unreceived = numbers.number();
  ending_.hash = numbers.word();
  ending_.complete = numbers.ok() && ending_.gaps.empty();
}

}  // namespace earl::trace
