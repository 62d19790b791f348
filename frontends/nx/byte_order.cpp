// SPDX-License-Identifier: BSD-3-Clause
/// Manual: byte order conversion between cube and host. Where both are the same machine there is
/// nothing to turn round.
#include "generic/base/byte_order.hpp"

#include "frontends/nx/call.hpp"
#include "frontends/nx/include/nx.h"

namespace earl::nx {

namespace {

constexpr auto cube = std::endian::native;
constexpr auto host = std::endian::native;

template <class T, class Count>
void convert(T* values, Count count, std::endian from, std::endian to) {
  if (count > 0) reorder(std::span{values, static_cast<std::size_t>(count)}, from, to);
}

}  // namespace
}  // namespace earl::nx

namespace nx = earl::nx;

// The three forms of one conversion.
#define EARL_NX_REORDER(name, InC, InFortran, from, to)                                      \
  EARL_NX_ENTRY void name(InC* values, long count) { nx::convert(values, count, from, to); } \
  EARL_NX_ENTRY long _##name(InC* values, long count) {                                      \
    nx::convert(values, count, from, to);                                                    \
    return 0;                                                                                \
  }                                                                                          \
  EARL_NX_ENTRY void name##_(InFortran* values, nx::Integer count) {                         \
    nx::convert(values, count, from, to);                                                    \
  }

EARL_NX_REORDER(ctohd, double, double, nx::cube, nx::host)
EARL_NX_REORDER(ctohf, float, float, nx::cube, nx::host)
EARL_NX_REORDER(ctohl, long, std::int32_t, nx::cube, nx::host)
EARL_NX_REORDER(ctohs, short, short, nx::cube, nx::host)
EARL_NX_REORDER(htocd, double, double, nx::host, nx::cube)
EARL_NX_REORDER(htocf, float, float, nx::host, nx::cube)
EARL_NX_REORDER(htocl, long, std::int32_t, nx::host, nx::cube)
EARL_NX_REORDER(htocs, short, short, nx::host, nx::cube)
