// SPDX-License-Identifier: BSD-3-Clause
/// Manual: partitions and their priorities. Here all nodes are one partition that is not made
/// and does not change: these calls are accepted, and do nothing. nx_mkpart nx_mkpart_rect
/// nx_mkpart_map nx_mkpart_attr nx_rmpart nx_chpart_* nx_pspart nx_pri.
#include <cstdint>

#include "frontends/nx/call.hpp"
#include "frontends/nx/include/nx.h"

namespace earl::nx {

namespace {

std::int32_t accepted(State&) { return 0; }

/// No application is listed.
std::int32_t nx_pspart(State&, nx_pspart_t** list, unsigned long* count) {
  if (!list || !count)
    throw NxError(EQPBUF, "the address for the list or its length is null: pass variables");
  *list = nullptr;
  *count = 0;
  return 0;
}

/// Fortran's list is the caller's array, and remains as it is.
std::int32_t listed_none(State&, std::int32_t* count) {
  if (!count)
    throw NxError(EQPBUF, "the address for the length of the list is null: pass a variable");
  *count = 0;
  return 0;
}

}  // namespace
}  // namespace earl::nx

namespace nx = earl::nx;
using nx::Integer;
using nx::Underscore;

// C's form and Fortran's two names; the arguments do not matter.
#define EARL_NX_ACCEPTED(name, InC, InFortran)                                      \
  EARL_NX_ENTRY long name InC { return nx::call<Underscore>(#name, nx::accepted); } \
  EARL_NX_ENTRY std::int32_t name##_ InFortran {                                    \
    return nx::call<Underscore>(#name, nx::accepted);                               \
  }                                                                                 \
  EARL_NX_ENTRY std::int32_t name##__ InFortran {                                   \
    return nx::call<Underscore>(#name, nx::accepted);                               \
  }

EARL_NX_ACCEPTED(nx_mkpart, (char*, long, long), (char*, Integer, Integer, std::size_t))
EARL_NX_ACCEPTED(nx_mkpart_rect, (char*, long, long, long),
                 (char*, Integer, Integer, Integer, std::size_t))
EARL_NX_ACCEPTED(nx_mkpart_map, (char*, long, long*, long),
                 (char*, Integer, std::int32_t*, Integer, std::size_t))
EARL_NX_ACCEPTED(nx_rmpart, (char*, long, long), (char*, Integer, Integer, std::size_t))
EARL_NX_ACCEPTED(nx_chpart_epl, (char*, long), (char*, Integer, std::size_t))
EARL_NX_ACCEPTED(nx_chpart_mod, (char*, long), (char*, Integer, std::size_t))
EARL_NX_ACCEPTED(nx_chpart_name, (char*, char*), (char*, char*, std::size_t, std::size_t))
EARL_NX_ACCEPTED(nx_chpart_owner, (char*, long, long), (char*, Integer, Integer, std::size_t))
EARL_NX_ACCEPTED(nx_chpart_rq, (char*, long), (char*, Integer, std::size_t))
EARL_NX_ACCEPTED(nx_chpart_sched, (char*, long), (char*, Integer, std::size_t))
EARL_NX_ACCEPTED(nx_pri, (long, long), (Integer, Integer))

#undef EARL_NX_ACCEPTED

EARL_NX_ENTRY long nx_mkpart_attr(char*, ...) {
  return nx::call<Underscore>("nx_mkpart_attr", nx::accepted);
}

EARL_NX_ENTRY int nx_pspart(char*, nx_pspart_t** list, nx_ulong* count) {
  return nx::call<Underscore>("nx_pspart", nx::nx_pspart, list, count);
}
EARL_NX_ENTRY std::int32_t nx_pspart_(char*, void* /*list*/, std::int32_t* count, std::size_t) {
  return nx::call<Underscore>("nx_pspart", nx::listed_none, count);
}
EARL_NX_ENTRY std::int32_t nx_pspart__(char*, void* /*list*/, std::int32_t* count, std::size_t) {
  return nx::call<Underscore>("nx_pspart", nx::listed_none, count);
}

// The other names, like those of all other calls.
EARL_NX_ALSO(nx_mkpart)
EARL_NX_ALSO(nx_mkpart_rect)
EARL_NX_ALSO(nx_mkpart_map)
EARL_NX_ALSO(nx_mkpart_attr)
EARL_NX_ALSO(nx_rmpart)
EARL_NX_ALSO(nx_chpart_epl)
EARL_NX_ALSO(nx_chpart_mod)
EARL_NX_ALSO(nx_chpart_name)
EARL_NX_ALSO(nx_chpart_owner)
EARL_NX_ALSO(nx_chpart_rq)
EARL_NX_ALSO(nx_chpart_sched)
EARL_NX_ALSO(nx_pspart)
EARL_NX_ALSO(nx_pri)
