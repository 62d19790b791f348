// SPDX-License-Identifier: BSD-3-Clause
#include "frontends/mpi1draft/translate.hpp"

#include <limits>

#include "frontends/mpi1draft/errors.hpp"

namespace earl::mpi1draft {

namespace {

/// Marks the ids of the draft's contexts, so that no other front end's are like them.
constexpr std::uint64_t ours = std::uint64_t{1} << 55;
constexpr std::uint64_t most_of_id = ours - 1;

/// Spreads its argument over 64 bits (the finalizer of splitmix64).
std::uint64_t mixed(std::uint64_t x) {
  x = (x ^ x >> 30) * 0xbf58'476d'1ce4'e5b9;
  x = (x ^ x >> 27) * 0x94d0'49bb'1331'11eb;
  return x ^ x >> 31;
}

std::uint64_t unsigned_of(int number) { return static_cast<std::uint32_t>(number); }

void check_list(void const* lengths, void const* places, int count) {
  if (count < 0)
    throw DraftError(Status::bad_block, "the number of blocks is {}: pass 0 or more", count);
  if (count > 0 && (!lengths || !places))
    throw DraftError(Status::bad_size, "the lists of {} blocks are null pointers: pass memory",
                     count);
}

/// Blocks of the given lengths; `place_of(i)` says where the i-th starts.
template <class Piece, class PlaceOf>
List<Piece> listed(int const* lengths, int count, PlaceOf place_of) {
  List<Piece> pieces;
  pieces.reserve(static_cast<std::size_t>(count));
  std::uint64_t total = 0;
  for (int i = 0; i < count; ++i) {
    if (lengths[i] < 0)
      throw DraftError(Status::bad_block, "block {} has {} bytes: pass 0 or more", i, lengths[i]);
    auto* const place = place_of(i);
    if (!place && lengths[i] > 0)
      throw DraftError(Status::bad_size, "the address of block {} is null: pass memory", i);
    pieces.push_back({place, static_cast<std::size_t>(lengths[i])});
    total += static_cast<std::size_t>(lengths[i]);
  }
  static_cast<void>(length_of(total));
  return pieces;
}

template <class Piece, class Byte>
List<Piece> strided(Byte* memory, Strided const& shape) {
  List<Piece> pieces;
  pieces.reserve(static_cast<std::size_t>(shape.count));
  for (int i = 0; i < shape.count; ++i)
    pieces.push_back(
        {memory + std::ptrdiff_t{shape.stride} * i, static_cast<std::size_t>(shape.length)});
  return pieces;
}

void check(void const* memory, Strided const& shape) {
  if (shape.length < 0 || shape.count < 0)
    throw DraftError(Status::bad_block, "{} blocks of {} bytes: pass 0 or more of both",
                     shape.count, shape.length);
  if (shape.stride <= 0 && shape.count > 1)
    throw DraftError(Status::bad_stride, "the stride is {} bytes: pass 1 or more", shape.stride);
  auto const total = std::uint64_t{static_cast<std::uint32_t>(shape.length)} *
                     static_cast<std::uint32_t>(shape.count);
  if (total > 0 && !memory)
    throw DraftError(Status::bad_size, "the buffer is a null pointer: pass memory");
  static_cast<void>(length_of(total));
}

}  // namespace

void judge_memory(void const* memory, int length) {
  if (length < 0)
    throw DraftError(Status::bad_size, "length {} is negative: pass 0 or more", length);
  if (length > 0 && !memory)
    throw DraftError(Status::bad_size, "the buffer of {} bytes is a null pointer: pass memory",
                     length);
}

Manner manner_of(char const* mode) {
  switch (mode ? *mode : '\0') {
    case 'b':
    case 'B':
      return Manner::blocking;
    case 'n':
    case 'N':
      return Manner::nonblocking;
    case 's':
    case 'S':
      return Manner::synchronized;
    default:
      throw DraftError(Status::bad_mode, "the mode is none of blocking, nonblocking, synchronized");
  }
}

char const* name_of(Manner manner) {
  switch (manner) {
    case Manner::blocking:
      return "blocking";
    case Manner::nonblocking:
      return "nonblocking";
    case Manner::synchronized:
      break;
  }
  return "synchronized";
}

void refuse_type(int type) { throw DraftError(Status::bad_type, "type {} is negative", type); }

TagMatch tags_of(int type) {
  if (type >= 0) return TagMatch::exactly(Tag{type});
  if (type == any) return TagMatch::anything();
  auto const mask = static_cast<std::uint32_t>(type) & 0x7fff'ffff;
  if (mask == 0) throw DraftError(Status::bad_type, "the type mask 0x80000000 selects nothing");
  return TagMatch::masked(mask);
}

Context context_of(int gid, std::uint32_t pushes, int ccid) {
  if (pushes == 0 && ccid == 1) return common_context;
  auto const group = mixed(unsigned_of(gid) << 32 | pushes);
  return earl::context_of(Space::user, ours | (mixed(group ^ unsigned_of(ccid)) & most_of_id));
}

Context agreement_of(int gid) {
  return earl::context_of(Space::collective, ours | (mixed(unsigned_of(gid)) & most_of_id));
}

Context agreement_of(std::vector<Rank> const& sorted_members) {
  std::uint64_t mix = sorted_members.size();
  for (const Rank rank : sorted_members) mix = mixed(mix << 1 ^ unsigned_of(number(rank)));
  return earl::context_of(Space::collective, ours | (mixed(~mix) & most_of_id));
}

Pattern blocks(void const* memory, Strided const& shape) {
  check(memory, shape);
  return Pattern::of_blocks(static_cast<std::size_t>(shape.length),
                            static_cast<std::size_t>(shape.count), shape.stride);
}

Pattern blocks(void* memory, Strided const& shape) {
  Pattern const pattern = blocks(static_cast<void const*>(memory), shape);
  if (shape.stride < shape.length && shape.count > 1)
    throw DraftError(Status::bad_stride, "blocks of {} bytes every {} bytes overlap", shape.length,
                     shape.stride);
  return pattern;
}

List<Bytes> block_list(void const* memory, Strided const& shape) {
  static_cast<void>(blocks(memory, shape));
  return strided<Bytes>(static_cast<std::byte const*>(memory), shape);
}

List<MutableBytes> block_list(void* memory, Strided const& shape) {
  static_cast<void>(blocks(memory, shape));
  return strided<MutableBytes>(static_cast<std::byte*>(memory), shape);
}

List<Bytes> listed_bytes(int const* lengths, void const* places, int count) {
  check_list(lengths, places, count);
  auto const* const array = static_cast<std::byte const* const*>(places);
  return listed<Bytes>(lengths, count, [&](int i) { return array[i]; });
}

List<MutableBytes> listed_room(int const* lengths, void const* places, int count) {
  check_list(lengths, places, count);
  auto* const* const array = static_cast<std::byte* const*>(places);
  return listed<MutableBytes>(lengths, count, [&](int i) { return array[i]; });
}

List<Bytes> listed_bytes(void const* memory, int const* lengths, int const* offsets, int count) {
  check_list(lengths, offsets, count);
  auto const* const begin = static_cast<std::byte const*>(memory);
  return listed<Bytes>(lengths, count, [&](int i) { return begin + offsets[i]; });
}

List<MutableBytes> listed_room(void* memory, int const* lengths, int const* offsets, int count) {
  check_list(lengths, offsets, count);
  auto* const begin = static_cast<std::byte*>(memory);
  return listed<MutableBytes>(lengths, count, [&](int i) { return begin + offsets[i]; });
}

int length_of(std::uint64_t bytes) {
  if (bytes > static_cast<std::uint64_t>(std::numeric_limits<int>::max()))
    throw DraftError(Status::bad_size, "{} bytes are more than an integer can say", bytes);
  return static_cast<int>(bytes);
}

}  // namespace earl::mpi1draft
