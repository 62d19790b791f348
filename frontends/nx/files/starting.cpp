// SPDX-License-Identifier: BSD-3-Clause
/// Manual: reading and writing without waiting. iread ireadv iwrite iwritev, ireadoff ireadvoff
/// iwriteoff iwritevoff, iodone iowait. All is done when the call begins; the result is reported
/// when the program asks.
#include "frontends/nx/call.hpp"
#include "frontends/nx/files/placed.hpp"
#include "frontends/nx/files/shared.hpp"

namespace earl::nx {

namespace {

std::int32_t remember(State& me, TransferResult const& moved) {
  return me.ids().open({.info = {}, .merged = {}, .file = true, .fault = moved.fault});
}

template <Direction direction, class Memory>
std::int32_t start(State& me, int fd, Memory* memory, Length count) {
  auto const wanted = transfer_of(direction, memory, count);
  me.ids().check_room();
  return remember(me, transfer_shared(me, fd, wanted));
}

template <Direction direction, class Memory>
std::int32_t start_of_unit(State& me, std::int32_t unit, Memory* memory, Length count) {
  return start<direction>(me, me.files().descriptor_of(unit), memory, count);
}

template <Direction direction, class Memory>
std::int32_t start_at(State& me, int fd, esize_t at, Memory* memory, Length count) {
  auto const wanted = transfer_of(direction, memory, count);
  me.ids().check_room();
  return remember(me, move_bytes(fd, wanted, value_of(at)));
}

template <Direction direction, class Memory>
std::int32_t start_of_unit_at(State& me, std::int32_t unit, esize_t at, Memory* memory,
                              Length count) {
  return start_at<direction>(me, me.files().descriptor_of(unit), at, memory, count);
}

void iowait(State& me, std::int32_t id) { checked({.fault = me.ids().close_file(id)}); }

std::int32_t iodone(State& me, std::int32_t id) {
  iowait(me, id);
  return 1;
}

}  // namespace
}  // namespace earl::nx

namespace nx = earl::nx;
using nx::Integer;
using nx::Plain;
using nx::Underscore;
using enum nx::Direction;

#define EARL_NX_START(name, listed, direction)                                                 \
  EARL_NX_ENTRY long name(int fd, void* memory, unsigned n) {                                  \
    return nx::call<Plain>(#name, nx::start<direction, void>, fd, memory, n);                  \
  }                                                                                            \
  EARL_NX_ENTRY long _##name(int fd, void* memory, unsigned n) {                               \
    return nx::call<Underscore>("_" #name, nx::start<direction, void>, fd, memory, n);         \
  }                                                                                            \
  EARL_NX_ENTRY std::int32_t name##_(Integer unit, void* memory, Integer n) {                  \
    return nx::call<Plain>(#name, nx::start_of_unit<direction, void>, unit, memory, n);        \
  }                                                                                            \
  EARL_NX_ENTRY long listed(int fd, iovec* pieces, int count) {                                \
    return nx::call<Plain>(#listed, nx::start<direction, iovec>, fd, pieces, count);           \
  }                                                                                            \
  EARL_NX_ENTRY long _##listed(int fd, iovec* pieces, int count) {                             \
    return nx::call<Underscore>("_" #listed, nx::start<direction, iovec>, fd, pieces, count);  \
  }                                                                                            \
  EARL_NX_ENTRY std::int32_t listed##_(Integer unit, iovec* pieces, Integer count) {           \
    return nx::call<Plain>(#listed, nx::start_of_unit<direction, iovec>, unit, pieces, count); \
  }

EARL_NX_START(iread, ireadv, reading)
EARL_NX_START(iwrite, iwritev, writing)

#undef EARL_NX_START

EARL_NX_PLACED(ireadoff, ireadvoff, start, reading)
EARL_NX_PLACED(iwriteoff, iwritevoff, start, writing)

EARL_NX_ENTRY void iowait(long id) { nx::call<Plain>("iowait", nx::iowait, id); }
EARL_NX_ENTRY int _iowait(long id) { return nx::call<Underscore>("_iowait", nx::iowait, id); }
EARL_NX_ENTRY void iowait_(Integer id) { nx::call<Plain>("iowait", nx::iowait, id); }

EARL_NX_ENTRY long iodone(long id) { return nx::call<Plain>("iodone", nx::iodone, id); }
EARL_NX_ENTRY long _iodone(long id) { return nx::call<Underscore>("_iodone", nx::iodone, id); }
EARL_NX_ENTRY std::int32_t iodone_(Integer id) { return nx::call<Plain>("iodone", nx::iodone, id); }
