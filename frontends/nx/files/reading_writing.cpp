// SPDX-License-Identifier: BSD-3-Clause
/// Manual: reading and writing. cread creadv cwrite cwritev, readoff readvoff writeoff writevoff.
#include "frontends/nx/call.hpp"
#include "frontends/nx/files/placed.hpp"
#include "frontends/nx/files/shared.hpp"

namespace earl::nx {

namespace {

/// `Memory`: where it begins, or a list of pieces. Returns the number of bytes.
template <Direction direction, class Memory>
std::int32_t some(State& me, int fd, Memory* memory, Length count) {
  return checked(transfer_shared(me, fd, transfer_of(direction, memory, count)));
}

/// CFS: reading beyond the end of the file is an error of the plain forms.
template <Direction direction, class Memory>
void all(State& me, int fd, Memory* memory, Length count) {
  auto const wanted = transfer_of(direction, memory, count);
  auto const bytes = static_cast<std::size_t>(checked(transfer_shared(me, fd, wanted)));
  if (bytes < wanted.bytes)
    throw NxError(ERDEOF, "{} bytes of {}: the file ends there", bytes, wanted.bytes);
}

template <Direction direction, class Memory>
void all_of_unit(State& me, std::int32_t unit, Memory* memory, Length count) {
  all<direction>(me, me.files().descriptor_of(unit), memory, count);
}

template <Direction direction, class Memory>
std::int32_t some_at(State&, int fd, esize_t at, Memory* memory, Length count) {
  return checked(move_bytes(fd, transfer_of(direction, memory, count), value_of(at)));
}

template <Direction direction, class Memory>
std::int32_t some_of_unit_at(State& me, std::int32_t unit, esize_t at, Memory* memory,
                             Length count) {
  return some_at<direction>(me, me.files().descriptor_of(unit), at, memory, count);
}

}  // namespace
}  // namespace earl::nx

namespace nx = earl::nx;
using nx::Integer;
using nx::Plain;
using nx::Underscore;
using enum nx::Direction;

// The forms of one call for a buffer (`name`) and for a list of pieces (`listed`), in Fortran, too.
#define EARL_NX_READ_WRITE(name, listed, direction)                                          \
  EARL_NX_ENTRY void name(int fd, void* memory, unsigned n) {                                \
    nx::call<Plain>(#name, nx::all<direction, void>, fd, memory, n);                         \
  }                                                                                          \
  EARL_NX_ENTRY int _##name(int fd, void* memory, unsigned n) {                              \
    return nx::call<Underscore>("_" #name, nx::some<direction, void>, fd, memory, n);        \
  }                                                                                          \
  EARL_NX_ENTRY void name##_(Integer unit, void* memory, Integer n) {                        \
    nx::call<Plain>(#name, nx::all_of_unit<direction, void>, unit, memory, n);               \
  }                                                                                          \
  EARL_NX_ENTRY void listed(int fd, iovec* pieces, int count) {                              \
    nx::call<Plain>(#listed, nx::all<direction, iovec>, fd, pieces, count);                  \
  }                                                                                          \
  EARL_NX_ENTRY int _##listed(int fd, iovec* pieces, int count) {                            \
    return nx::call<Underscore>("_" #listed, nx::some<direction, iovec>, fd, pieces, count); \
  }                                                                                          \
  EARL_NX_ENTRY void listed##_(Integer unit, iovec* pieces, Integer count) {                 \
    nx::call<Plain>(#listed, nx::all_of_unit<direction, iovec>, unit, pieces, count);        \
  }

EARL_NX_READ_WRITE(cread, creadv, reading)
EARL_NX_READ_WRITE(cwrite, cwritev, writing)

#undef EARL_NX_READ_WRITE

EARL_NX_PLACED(readoff, readvoff, some, reading)
EARL_NX_PLACED(writeoff, writevoff, some, writing)
