// SPDX-License-Identifier: BSD-3-Clause
/// Manual: identity, clocks, and miscellany. mynode numnodes nodedim mypid myptype myhost setpid
/// setptype, mclock dclock hwclock, led flick gray ginv.
#include <unistd.h>

#include <bit>
#include <cstring>

#include "frontends/nx/call.hpp"
#include "frontends/nx/include/nx.h"
#include "generic/base/gray_code.hpp"

namespace earl::nx {

/// A REAL array of rank 1 as gfortran passes it to its run-time library (GCC 8 and later).
struct RealVector {
  float* base = nullptr;
  std::size_t offset = 0;
  std::size_t element_length = 0;
  std::uint64_t type = 0;
  std::ptrdiff_t span = 0;
  std::ptrdiff_t stride = 0;  ///< in elements
};

namespace {

std::int32_t mynode(State& me) { return me.asked_cube().me(); }
std::int32_t numnodes(State& me) { return me.attached_cube().size(); }
std::int32_t mypid(State& me) { return me.has_pid() ? me.pid() : INVALID_PTYPE; }
void setpid(State& me, std::int32_t pid) { me.set_pid(pid); }
void setptype(State& me, std::int32_t ptype) { me.set_ptype(ptype); }

/// The number after the last node's, whether there is a host or not.
std::int32_t myhost(State& me) { return me.asked_cube().size(); }

std::int32_t nodedim(State& me) {
  auto const nodes = static_cast<std::uint32_t>(me.attached_cube().size());
  if (!std::has_single_bit(nodes) && me.first_time_odd_size())
    me.process().print_line(
        fmt::format("nodedim: {} nodes are no hypercube; the dimension is rounded down", nodes));
  return static_cast<std::int32_t>(std::bit_width(nodes)) - 1;
}

std::uint32_t mclock(State& me) {
  return static_cast<std::uint32_t>(me.process().clock() / 1'000'000);
}

double processor_time(State& me) {
  return static_cast<double>(me.process().clock(Process::Time::cpu)) * 1e-9;
}

float second(State& me) { return static_cast<float>(processor_time(me)); }

/// CPU time of the program and of the system for it.
float etime(State& me, RealVector const& used) {
  used.base[0] = second(me);
  used.base[used.stride] = 0;
  return used.base[0];
}

double dclock(State& me) { return static_cast<double>(me.process().clock()) * 1e-9; }

/// Exactly 8 bytes, low word first: programs pass two unsigned ints.
void hwclock(State& me, void* count) {
  if (!count) throw NxError(EQPBUF, "the address for the count is null: pass a variable");
  constexpr std::int64_t nanoseconds_per_tick = 1'000'000'000 / HWHZ;
  auto const ticks = static_cast<std::uint64_t>(me.process().clock() / nanoseconds_per_tick);
  std::memcpy(count, &ticks, sizeof ticks);
}

void led(State&, std::int32_t /*on*/) {}
void flick(State& me) { me.process().idle(); }

std::int32_t gray(State&, std::int32_t i) {
  return static_cast<std::int32_t>(gray_code(static_cast<std::uint32_t>(i)));
}

std::int32_t ginv(State&, std::int32_t g) {
  return static_cast<std::int32_t>(inverse_gray_code(static_cast<std::uint32_t>(g)));
}

}  // namespace
}  // namespace earl::nx

namespace nx = earl::nx;
using nx::Integer;
using nx::Plain;
using nx::Underscore;

EARL_NX_ENTRY long mynode(void) { return nx::call<Plain>("mynode", nx::mynode); }
EARL_NX_ENTRY long _mynode(void) { return nx::call<Underscore>("_mynode", nx::mynode); }
EARL_NX_ENTRY std::int32_t mynode_(void) { return nx::call<Plain>("mynode", nx::mynode); }

EARL_NX_ENTRY long numnodes(void) { return nx::call<Plain>("numnodes", nx::numnodes); }
EARL_NX_ENTRY long _numnodes(void) { return nx::call<Underscore>("_numnodes", nx::numnodes); }
EARL_NX_ENTRY std::int32_t numnodes_(void) { return nx::call<Plain>("numnodes", nx::numnodes); }

EARL_NX_ENTRY long nodedim(void) { return nx::call<Plain>("nodedim", nx::nodedim); }
EARL_NX_ENTRY long _nodedim(void) { return nx::call<Underscore>("_nodedim", nx::nodedim); }
EARL_NX_ENTRY std::int32_t nodedim_(void) { return nx::call<Plain>("nodedim", nx::nodedim); }

EARL_NX_ENTRY long mypid(void) { return nx::call<Plain>("mypid", nx::mypid); }
EARL_NX_ENTRY long _mypid(void) { return nx::call<Underscore>("_mypid", nx::mypid); }
EARL_NX_ENTRY std::int32_t mypid_(void) { return nx::call<Plain>("mypid", nx::mypid); }

EARL_NX_ENTRY long myptype(void) { return nx::call<Plain>("myptype", nx::mypid); }
EARL_NX_ENTRY long _myptype(void) { return nx::call<Underscore>("_myptype", nx::mypid); }
EARL_NX_ENTRY std::int32_t myptype_(void) { return nx::call<Plain>("myptype", nx::mypid); }

EARL_NX_ENTRY long myhost(void) { return nx::call<Plain>("myhost", nx::myhost); }
EARL_NX_ENTRY long _myhost(void) { return nx::call<Underscore>("_myhost", nx::myhost); }
EARL_NX_ENTRY std::int32_t myhost_(void) { return nx::call<Plain>("myhost", nx::myhost); }

EARL_NX_ENTRY void setpid(long pid) { nx::call<Plain>("setpid", nx::setpid, pid); }
EARL_NX_ENTRY long _setpid(long pid) { return nx::call<Underscore>("_setpid", nx::setpid, pid); }
EARL_NX_ENTRY void setpid_(Integer pid) { nx::call<Plain>("setpid", nx::setpid, pid); }

EARL_NX_ENTRY void setptype(long ptype) { nx::call<Plain>("setptype", nx::setptype, ptype); }
EARL_NX_ENTRY long _setptype(long ptype) {
  return nx::call<Underscore>("_setptype", nx::setptype, ptype);
}
EARL_NX_ENTRY void setptype_(Integer ptype) { nx::call<Plain>("setptype", nx::setptype, ptype); }

EARL_NX_ENTRY unsigned long mclock(void) { return nx::call<Plain>("mclock", nx::mclock); }
EARL_NX_ENTRY unsigned long _mclock(void) { return nx::call<Underscore>("_mclock", nx::mclock); }
EARL_NX_ENTRY std::uint32_t mclock_(void) { return nx::call<Plain>("mclock", nx::mclock); }
/// The function that gfortran calls for MCLOCK() unless the program declares it EXTERNAL. Not weak:
/// it must win over the one of gfortran's run-time library, whose unit is another.
extern "C" std::uint32_t _gfortran_mclock(void) { return nx::call<Plain>("mclock", nx::mclock); }

/// Likewise for the clocks of CPU time, whose real values no replay could repeat. The system's CPU
/// time for the process counts as the program's own.
extern "C" float _gfortran_etime(nx::RealVector const* used) {
  return nx::call<Plain>("etime", nx::etime, *used);
}
extern "C" void _gfortran_etime_sub(nx::RealVector const* used, float* result) {
  *result = nx::call<Plain>("etime", nx::etime, *used);
}
extern "C" float _gfortran_second(void) { return nx::call<Plain>("second", nx::second); }
extern "C" void _gfortran_cpu_time_4(float* result) {
  *result = nx::call<Plain>("cpu_time", nx::second);
}
extern "C" void _gfortran_cpu_time_8(double* result) {
  *result = nx::call<Plain>("cpu_time", nx::processor_time);
}

EARL_NX_ENTRY double dclock(void) { return nx::call<Plain>("dclock", nx::dclock); }
EARL_NX_ENTRY double _dclock(void) { return nx::call<Underscore>("_dclock", nx::dclock); }
EARL_NX_ENTRY double dclock_(void) { return nx::call<Plain>("dclock", nx::dclock); }

EARL_NX_ENTRY void hwclock(void* count) { nx::call<Plain>("hwclock", nx::hwclock, count); }
EARL_NX_ENTRY long _hwclock(void* count) {
  return nx::call<Underscore>("_hwclock", nx::hwclock, count);
}
EARL_NX_ENTRY void hwclock_(void* count) { nx::call<Plain>("hwclock", nx::hwclock, count); }

EARL_NX_ENTRY void led(long on) { nx::call<Plain>("led", nx::led, on); }
EARL_NX_ENTRY long _led(long on) { return nx::call<Underscore>("_led", nx::led, on); }
EARL_NX_ENTRY void led_(Integer on) { nx::call<Plain>("led", nx::led, on); }

EARL_NX_ENTRY void flick(void) { nx::call<Plain>("flick", nx::flick); }
EARL_NX_ENTRY long _flick(void) { return nx::call<Underscore>("_flick", nx::flick); }
EARL_NX_ENTRY void flick_(void) { nx::call<Plain>("flick", nx::flick); }

EARL_NX_ENTRY long gray(long i) { return nx::call<Plain>("gray", nx::gray, i); }
EARL_NX_ENTRY long _gray(long i) { return nx::call<Underscore>("_gray", nx::gray, i); }
EARL_NX_ENTRY std::int32_t gray_(Integer i) { return nx::call<Plain>("gray", nx::gray, i); }

EARL_NX_ENTRY long ginv(long g) { return nx::call<Plain>("ginv", nx::ginv, g); }
EARL_NX_ENTRY long _ginv(long g) { return nx::call<Underscore>("_ginv", nx::ginv, g); }
EARL_NX_ENTRY std::int32_t ginv_(Integer g) { return nx::call<Plain>("ginv", nx::ginv, g); }

/// In NX the form that returns -1; the plain one is the C library's and does, too.
EARL_NX_ENTRY pid_t _fork(void) { return ::fork(); }
