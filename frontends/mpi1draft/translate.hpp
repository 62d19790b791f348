// SPDX-License-Identifier: BSD-3-Clause
/// Every conversion between the draft's terms and the core's that needs no state.
#pragma once

#include <cstdint>
#include <vector>

#include "generic/base/bytes.hpp"
#include "generic/base/values.hpp"
#include "generic/message/match_spec.hpp"

namespace earl::mpi1draft {

inline constexpr int any = -1;  ///< as a source or a type

enum class Manner { blocking, nonblocking, synchronized };
/// The first letter decides, in either case: the proposal declares CHARACTER*1. Status 13.
Manner manner_of(char const* mode);
char const* name_of(Manner manner);

/// The type of a message to send; status 15.
[[noreturn]] void refuse_type(int type);
inline Tag tag_of(int type) {
  if (type < 0) [[unlikely]]
    refuse_type(type);
  return Tag{type};
}
/// A type, -1 for any, or another negative number: a mask as in NX/2. Status 15.
TagMatch tags_of(int type);

/// Where messages of a group context and one of its communication contexts travel. `pushes` is how
/// many times the group was pushed before. The first context of all is where other front ends meet.
Context context_of(int gid, std::uint32_t pushes, int ccid);
/// Where members of a group agree on something; of a group that has no GID yet, for its processes.
Context agreement_of(int gid);
Context agreement_of(std::vector<Rank> const& sorted_members);

/// `Piece` is Bytes or Room.
template <class Piece>
using List = std::vector<Piece>;

/// Contiguous memory; status 6.
void judge_memory(void const* memory, int length);
inline Bytes bytes(void const* memory, int length) {
  if (length < 0 || !memory) [[unlikely]]
    judge_memory(memory, length);
  return {static_cast<std::byte const*>(memory), static_cast<std::size_t>(length)};
}
inline MutableBytes mutable_bytes(void* memory, int length) {
  if (length < 0 || !memory) [[unlikely]]
    judge_memory(memory, length);
  return {static_cast<std::byte*>(memory), static_cast<std::size_t>(length)};
}

/// Blocks as MPI_SSEND describes them. Statuses 6, 7 and 8. Blocks to write may not overlap.
struct Strided {
  int length, stride, count;
};
Pattern blocks(void const* memory, Strided const& shape);
Pattern blocks(void* memory, Strided const& shape);
/// The whole of which each is a piece, for operations that outlive a Pattern.
List<Bytes> block_list(void const* memory, Strided const& shape);
List<MutableBytes> block_list(void* memory, Strided const& shape);

/// Blocks as MPI_GSEND describes them in C: `places` is an array of pointers. Statuses 6 and 8.
List<Bytes> listed_bytes(int const* lengths, void const* places, int count);
List<MutableBytes> listed_room(int const* lengths, void const* places, int count);
/// The same as Fortran describes them: `offsets` are bytes from `memory`.
List<Bytes> listed_bytes(void const* memory, int const* lengths, int const* offsets, int count);
List<MutableBytes> listed_room(void* memory, int const* lengths, int const* offsets, int count);

/// A length as the program gets it; status 6 when it is beyond an int.
int length_of(std::uint64_t bytes);

}  // namespace earl::mpi1draft
