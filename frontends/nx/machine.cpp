// SPDX-License-Identifier: BSD-3-Clause
/// Manual: about the machine. mypart nx_app_rect mydirect availmem nx_perror, and calls without
/// effect here: restrictvol handler.
#include <limits>
#include <string_view>

#include "frontends/nx/call.hpp"
#include "frontends/nx/include/nx.h"

namespace earl::nx {

namespace {

template <class Integer>
std::int32_t mypart(State& me, Integer* rows, Integer* cols) {
  if (!rows || !cols)
    throw NxError(EQPBUF, "the address for rows or columns is null: pass variables");
  auto const shape = me.shape();
  *rows = shape.rows;
  *cols = shape.columns;
  return 0;
}

std::int32_t mydirect(State& me) { return me.cube().me(); }

/// Programs size their tables by it; the machine's real memory does not fit into a word of NX.
std::int32_t availmem(State&) { return std::numeric_limits<std::int32_t>::max(); }

std::int32_t restrictvol(State&, std::int32_t /*fd*/, std::int32_t /*n*/) { return 0; }
void handler(State&, std::int32_t /*type*/) {}

void nx_perror(State& me, std::string_view said, int number) {
  me.process().print_line(fmt::format("(node {}, ptype {}) {}: {}", me.cube().me(), me.pid(), said,
                                      error_text(number)));
}

}  // namespace
}  // namespace earl::nx

namespace nx = earl::nx;
using nx::Integer;
using nx::Plain;
using nx::Underscore;

EARL_NX_ENTRY long mypart(long* rows, long* cols) {
  return nx::call<Plain>("mypart", nx::mypart<long>, rows, cols);
}
EARL_NX_ENTRY long _mypart(long* rows, long* cols) {
  return nx::call<Underscore>("_mypart", nx::mypart<long>, rows, cols);
}
EARL_NX_ENTRY std::int32_t mypart_(std::int32_t* rows, std::int32_t* cols) {
  return nx::call<Plain>("mypart", nx::mypart<std::int32_t>, rows, cols);
}

EARL_NX_LONG32(long, mypart, nx::mypart<std::int32_t>, (std::int32_t * rows, std::int32_t* cols),
               rows, cols)

// Like all that begins with nx_: -1 and errno. gfortran's name, and its name under
// -fsecond-underscore.
EARL_NX_ENTRY long nx_app_rect(long* rows, long* cols) {
  return nx::call<Underscore>("nx_app_rect", nx::mypart<long>, rows, cols);
}
EARL_NX_ENTRY std::int32_t nx_app_rect_(std::int32_t* rows, std::int32_t* cols) {
  return nx::call<Underscore>("nx_app_rect", nx::mypart<std::int32_t>, rows, cols);
}
EARL_NX_ENTRY std::int32_t nx_app_rect__(std::int32_t* rows, std::int32_t* cols) {
  return nx::call<Underscore>("nx_app_rect", nx::mypart<std::int32_t>, rows, cols);
}

EARL_NX_ENTRY long earl_nx32_nx_app_rect(std::int32_t* rows, std::int32_t* cols) {
  return nx::call<Underscore>("nx_app_rect", nx::mypart<std::int32_t>, rows, cols);
}

EARL_NX_ENTRY long mydirect(void) { return nx::call<Plain>("mydirect", nx::mydirect); }
EARL_NX_ENTRY long _mydirect(void) { return nx::call<Underscore>("_mydirect", nx::mydirect); }
EARL_NX_ENTRY std::int32_t mydirect_(void) { return nx::call<Plain>("mydirect", nx::mydirect); }

EARL_NX_ENTRY long availmem(void) { return nx::call<Plain>("availmem", nx::availmem); }
EARL_NX_ENTRY long _availmem(void) { return nx::call<Underscore>("_availmem", nx::availmem); }
EARL_NX_ENTRY std::int32_t availmem_(void) { return nx::call<Plain>("availmem", nx::availmem); }

EARL_NX_ENTRY long restrictvol(int fd, int n, int*) {
  return nx::call<Plain>("restrictvol", nx::restrictvol, fd, n);
}
EARL_NX_ENTRY long _restrictvol(int fd, int n, int*) {
  return nx::call<Underscore>("_restrictvol", nx::restrictvol, fd, n);
}
EARL_NX_ENTRY std::int32_t restrictvol_(Integer fd, Integer n, std::int32_t*) {
  return nx::call<Plain>("restrictvol", nx::restrictvol, fd, n);
}

EARL_NX_ENTRY void handler(long type, nx_trap) { nx::call<Plain>("handler", nx::handler, type); }
EARL_NX_ENTRY long _handler(long type, nx_trap) {
  return nx::call<Underscore>("_handler", nx::handler, type);
}
EARL_NX_ENTRY void handler_(Integer type, nx_trap) {
  nx::call<Plain>("handler", nx::handler, type);
}

EARL_NX_ENTRY void nx_perror(char* s) {
  auto const number = errno;  // before anything of ours changes it
  nx::call<Plain>("nx_perror", nx::nx_perror, std::string_view(s ? s : ""), number);
}
EARL_NX_ENTRY void nx_perror_(char const* s, std::size_t length) {
  auto const number = errno;
  nx::call<Plain>("nx_perror", nx::nx_perror, nx::fortran_text(s, length), number);
}
EARL_NX_ENTRY void nx_perror__(char const* s, std::size_t length) {
  auto const number = errno;
  nx::call<Plain>("nx_perror", nx::nx_perror, nx::fortran_text(s, length), number);
}

// The other name, like that of all other calls.
EARL_NX_ALSO(nx_app_rect)
