// SPDX-License-Identifier: BSD-3-Clause
#include "debug/trace/follower.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstddef>
#include <cstring>

#include "generic/base/crc32c.hpp"

namespace earl::trace {

namespace {

constexpr std::uint64_t most_piece = 1U << 20;
/// The process continues meanwhile: the parts that are read may be of several moments.
constexpr int most_tries = 8;

}  // namespace

bool Follower::read(std::uint64_t offset, MutableBytes to) const {
  auto const n = ::pread(file_.get(), to.data(), to.size(), static_cast<off_t>(offset));
  return n == static_cast<ssize_t>(to.size());
}

/// Whether the file has got its header, and a tail: without one it is new, or has frames.
bool Follower::ready() {
  if (!file_) file_ = Descriptor(::open(path_.c_str(), O_RDONLY | O_CLOEXEC));
  if (tail_room_ != 0) return true;
  std::array<std::byte, sizeof(FileHeader)> bytes{};
  if (!file_ || !read(0, bytes) || field<std::array<char, 8>>(bytes, 0) != file_magic ||
      crc32c(Bytes{bytes}.first(header_checked_bytes)) !=
          field<std::uint32_t>(bytes, offsetof(FileHeader, crc)))
    return false;
  std::uint64_t size = 0;
  if (tail_offset() == 0 && !whole_frame(sizeof(FileHeader), size)) return false;
  tail_room_ =
      std::min(field<std::uint32_t>(bytes, offsetof(FileHeader, tail_room)), most_frame_bytes);
  sent_ = sizeof(FileHeader);
  return true;
}

std::uint64_t Follower::tail_offset() const {
  std::array<std::byte, sizeof(std::uint64_t)> bytes{};
  return read(offsetof(FileHeader, tail_offset), bytes) ? field<std::uint64_t>(bytes, 0) : 0;
}

/// Null: it changed while it was read.
std::optional<Follower::Open> Follower::open_frame(std::uint64_t offset) const {
  Open open;
  open.offset = offset;
  if (!read(offset, open.header)) return std::nullopt;
  auto const check = field<std::uint64_t>(open.header, offsetof(TailHeader, check));
  auto const length = static_cast<std::uint32_t>(check >> 32);
  auto const committed =
      committed_bytes(field<std::uint64_t>(open.header, offsetof(TailHeader, committed)));
  if (length < committed || length > tail_room_) return std::nullopt;
  open.record.resize(length);
  auto const record = std::as_writable_bytes(std::span{open.record});
  if (!read(offset + sizeof(TailHeader), record) ||
      crc32c(record) != static_cast<std::uint32_t>(check))
    return std::nullopt;
  return open;
}

bool Follower::whole_frame(std::uint64_t offset, std::uint64_t& size) const {
  FrameHeader frame;
  if (!read(offset, writable_bytes_of(frame)) || frame.magic != frame_magic ||
      frame.stored > most_frame_bytes)
    return false;
  std::string stored(frame.stored, '\0');
  if (!read(offset + sizeof frame, std::as_writable_bytes(std::span{stored}))) return false;
  auto const crc = std::exchange(frame.crc, 0);
  size = aligned(sizeof frame + frame.stored, 8);
  return crc32c(std::as_bytes(std::span{stored}), crc32c(bytes_of(frame))) == crc;
}

/// The size of the whole frames.
std::uint64_t Follower::frames_end() const {
  auto end = sent_;
  for (std::uint64_t size = 0; whole_frame(end, size);) end += size;
  return end;
}

void Follower::add(std::uint64_t offset, std::string bytes, std::vector<FilePiece>& pieces) const {
  pieces.push_back({.rank = rank_, .offset = offset, .size = size_, .bytes = std::move(bytes)});
}

void Follower::add_from_file(std::uint64_t from, std::uint64_t to,
                             std::vector<FilePiece>& pieces) const {
  while (from < to) {
    std::string bytes(static_cast<std::size_t>(std::min(to - from, most_piece)), '\0');
    if (!read(from, std::as_writable_bytes(std::span{bytes}))) return;
    auto const size = bytes.size();
    add(from, std::move(bytes), pieces);
    from += size;
  }
}

void Follower::add_frames(std::uint64_t end, std::vector<FilePiece>& pieces) {
  end = std::min(end, size_);  // the last may not be filled up
  add_from_file(sent_, end, pieces);
  sent_ = end;
}

void Follower::add_tail(Open const& open, std::vector<FilePiece>& pieces) {
  if (at_ == open.offset && given_.header == open.header) return;
  auto const sequence = [](Open const& one) {
    return field<std::uint32_t>(one.header, offsetof(TailHeader, sequence));
  };
  auto const before =
      at_ == open.offset && sequence(given_) == sequence(open) ? given_.record.size() : 0;
  if (before < open.record.size())
    add(open.offset + sizeof(TailHeader) + before, open.record.substr(before), pieces);
  add(open.offset, {reinterpret_cast<char const*>(open.header.data()), open.header.size()}, pieces);
  given_ = open;
}

std::vector<FilePiece> Follower::changed_pieces() {
  std::vector<FilePiece> pieces;
  if (at_ == 0 || !ready()) return pieces;
  struct stat about {};
  for (int i = 0; i < most_tries; ++i) {
    auto const offset = tail_offset();
    auto const open = offset != 0 ? open_frame(offset) : std::nullopt;
    auto const end = frames_end();
    bool const same = offset == tail_offset() && (offset == 0 || open);
    if (!same || ::fstat(file_.get(), &about) != 0) continue;
    size_ = static_cast<std::uint64_t>(about.st_size);
    add_frames(end, pieces);
    if (open) add_tail(*open, pieces);
    if (at_ != offset) add_from_file(0, sizeof(FileHeader), pieces);
    at_ = offset;
    break;
  }
  return pieces;
}

}  // namespace earl::trace
