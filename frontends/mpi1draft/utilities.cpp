// SPDX-License-Identifier: BSD-3-Clause
/// Proposal, 3.5: clocks, the error status, the machine.
#include <sys/utsname.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <ctime>

#include "frontends/common/fortran_text.hpp"
#include "frontends/mpi1draft/call.hpp"
#include "frontends/mpi1draft/include/mpi1.h"
#include "generic/exec_client.hpp"

namespace earl::mpi1draft {

namespace {

constexpr double nanoseconds = 1e-9;

double cpu(State& me) {
  return nanoseconds * static_cast<double>(me.process().clock(Process::Time::cpu));
}
double wall(State& me) { return nanoseconds * static_cast<double>(me.elapsed()); }

/// Seconds since 1970. The host's answer and the clock are inputs of the run; the system's own time
/// would be another one in a replay.
std::time_t calendar_time(State& me) {
  if (me.peers().size() == 1 && me.process().table().count() == 1)
    return std::time(nullptr);  // alone: there may be no EXEC to ask
  auto const hosts = me.process().exec().hosts().hosts;
  auto const now = hosts.front().clock_origin + static_cast<std::uint64_t>(me.process().clock());
  return static_cast<std::time_t>(now / 1'000'000'000);
}

template <std::size_t N>
char* formatted(std::array<char, N>& text, char const* format, std::time_t time) {
  std::tm parts{};
  ::localtime_r(&time, &parts);
  text[std::strftime(text.data(), text.size(), format, &parts)] = '\0';
  return text.data();
}

template <std::size_t N>
char* written(std::array<char, N>& text, std::string_view from) {
  text[from.copy(text.data(), text.size() - 1)] = '\0';
  return text.data();
}

char* date(State& me) { return formatted(me.texts().date, "%m/%d/%y", calendar_time(me)); }
char* time(State& me) { return formatted(me.texts().time, "%H:%M:%S", calendar_time(me)); }

char* machine(State& me) {
  utsname name{};
  ::uname(&name);
  return written(me.texts().machine,
                 fmt::format("{} {} {}", name.nodename, name.sysname, name.machine));
}

int kibibytes(long pages) {
  auto const bytes = std::uint64_t(std::max(pages, 0L)) *
                     static_cast<std::uint64_t>(std::max(::sysconf(_SC_PAGESIZE), 1L));
  return static_cast<int>(std::min<std::uint64_t>(bytes / 1024, 0x7fff'ffff));
}

/// The numbering from 3 on was never fixed: this follows the order of the proposal's text.
int infomn(State& me, int maxlis, int* ilist) {
  if (maxlis < 0 || (maxlis > 0 && !ilist))
    throw DraftError(Status::bad_size, "maxlis is {}: pass room for all numbers", maxlis);
  int const processors = static_cast<int>(std::max(::sysconf(_SC_NPROCESSORS_ONLN), 1L));
  int const memory = kibibytes(::sysconf(_SC_PHYS_PAGES));
  auto const processes = std::max(me.peers().size(), 1);
  std::array<int, 5> const facts{std::min(processes, processors), processors,
                                 me.peers().me() % processors, memory / processes,
                                 memory / processors};
  auto const shown = std::min(static_cast<std::size_t>(maxlis), facts.size());
  std::copy_n(facts.begin(), shown, ilist);
  return static_cast<int>(shown);
}

}  // namespace
}  // namespace earl::mpi1draft

namespace draft = earl::mpi1draft;
using draft::Integer;
using draft::State;

namespace {

/// The process of a forked child, which has no texts of its own.
char* empty() {
  static char const nothing[1] = {};
  return const_cast<char*>(nothing);
}

/// Like call(), with another value for failure than -1.
template <class Function>
[[gnu::always_inline]] inline char* text_of(char const* name, Function const& function) {
  return draft::ask<char*>(name, empty(), [&](State& me) {
    me.set_status(draft::Status::none);
    return function(me);
  });
}

int error_of(State& me) { return static_cast<int>(me.status()); }

}  // namespace

extern "C" double MPI_CPU(void) { return draft::call("MPI_CPU", draft::cpu); }
extern "C" double mpi_cpu_(void) { return draft::call("MPI_CPU", draft::cpu); }
EARL_DRAFT_FORTRAN(mpi_cpu);

extern "C" double MPI_WALL(void) { return draft::call("MPI_WALL", draft::wall); }
extern "C" double mpi_wall_(void) { return draft::call("MPI_WALL", draft::wall); }
EARL_DRAFT_FORTRAN(mpi_wall);

extern "C" char* MPI_DATE(void) { return text_of("MPI_DATE", draft::date); }
extern "C" void mpi_date_(char* result, std::size_t length) {
  earl::fortran::give(result, length, text_of("MPI_DATE", draft::date));
}
EARL_DRAFT_FORTRAN(mpi_date);

extern "C" char* MPI_TIME(void) { return text_of("MPI_TIME", draft::time); }
extern "C" void mpi_time_(char* result, std::size_t length) {
  earl::fortran::give(result, length, text_of("MPI_TIME", draft::time));
}
EARL_DRAFT_FORTRAN(mpi_time);

extern "C" int MPI_ERROR(void) {
  return draft::ask("MPI_ERROR", static_cast<int>(draft::Status::machine), error_of);
}
extern "C" int mpi_error_(void) {
  return draft::ask("MPI_ERROR", static_cast<int>(draft::Status::machine), error_of);
}
EARL_DRAFT_FORTRAN(mpi_error);

extern "C" char* MPI_ETEXT(int ierrno) {
  return draft::ask<char*>("MPI_ETEXT", empty(), [&](State& me) {
    return draft::written(me.texts().etext, draft::error_text(ierrno));
  });
}
extern "C" void mpi_etext_(char* result, std::size_t length, Integer ierrno) {
  earl::fortran::give(result, length, MPI_ETEXT(ierrno));
}
EARL_DRAFT_FORTRAN(mpi_etext);

extern "C" char* MPI_MACHINE(void) { return text_of("MPI_MACHINE", draft::machine); }
extern "C" void mpi_machine_(char* result, std::size_t length) {
  earl::fortran::give(result, length, text_of("MPI_MACHINE", draft::machine));
}
EARL_DRAFT_FORTRAN(mpi_machine);

extern "C" int MPI_INFOMN(int maxlis, int* ilist) {
  return draft::call("MPI_INFOMN", draft::infomn, maxlis, ilist);
}
extern "C" int mpi_infomn_(Integer maxlis, int* ilist) {
  return draft::call("MPI_INFOMN", draft::infomn, maxlis, ilist);
}
EARL_DRAFT_FORTRAN(mpi_infomn);
