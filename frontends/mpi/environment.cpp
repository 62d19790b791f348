// SPDX-License-Identifier: BSD-3-Clause
/// Standard, 7.1 and 7.4 to 7.5: implementation information, timers, startup.
#include <sys/utsname.h>

#include <algorithm>
#include <cstdlib>

#include "frontends/mpi/call.hpp"
#include "frontends/mpi/leftovers.hpp"
#include "frontends/mpi/names.hpp"
#include "frontends/mpi/text.hpp"
#include "generic/system/heap.hpp"

namespace earl::mpi {

namespace {

constexpr double nanoseconds = 1e-9;

void init(State& me) {
  if (me.stage() != State::Stage::before)
    throw MpiError(ErrorClass::other, "called twice: MPI is initialized once in a process's life");
  me.set_stage(State::Stage::running);
  if (leftovers_wanted(me)) me.note_sites();
  me.check_types();
}

void finalize(State& me) {
  if (me.call_site()) report_leftovers(me);
  me.set_stage(State::Stage::after);
}

void processor_name(char* name, int* length) {
  utsname system{};
  ::uname(&system);
  write_text(name, length, system.nodename, MPI_MAX_PROCESSOR_NAME);
}

/// Only the thread that called MPI_Init calls MPI: funnelled is what there is.
int granted(int required) { return std::min(required, MPI_THREAD_FUNNELED); }

void allocate(MPI_Aint size, void* result) {
  void*& base = require(static_cast<void**>(result), "baseptr");
  if (size < 0) throw MpiError(ErrorClass::arg, "size is {}: pass 0 or more", size);
  base = heap::program_malloc(static_cast<std::size_t>(std::max<MPI_Aint>(size, 1)));
  if (!base) throw MpiError(ErrorClass::other, "cannot allocate {} bytes: out of memory", size);
}

/// An exit code has 8 bits: another code than 0 stays one.
int exit_code_of(int code) { return code != 0 && (code & 0xff) == 0 ? EXIT_FAILURE : code; }

[[noreturn]] void abort(State& me, Handle comm, int code) {
  auto const* found = me.find_communicator(comm);
  me.process().end(exit_code_of(code),
                   fmt::format("mpi: {}: MPI_Abort on {} with error code {}",
                               caller_text(me, found ? *found : me.world()),
                               found ? found->to_text() : "no communicator", code));
}

}  // namespace
}  // namespace earl::mpi

namespace mpi = earl::mpi;
using mpi::State;

/// By libmpichfort: its code in this process.
extern "C" void earl_mpi_fortran_code(void const* begin, void const* end) {
  if (earl::Process* const me = earl::boot::process())
    mpi::state_of(*me).fortran_code() = {begin, end};
}

extern "C" int PMPI_Init(int*, char***) {
  return mpi::call_any_time("MPI_Init", MPI_COMM_WORLD, mpi::init);
}
EARL_MPI(Init)

extern "C" int PMPI_Init_thread(int*, char***, int required, int* provided) {
  return mpi::call_any_time("MPI_Init_thread", MPI_COMM_WORLD, [&](State& me) {
    mpi::require(provided, "provided") = mpi::granted(required);
    mpi::init(me);
  });
}
EARL_MPI(Init_thread)

extern "C" int PMPI_Query_thread(int* provided) {
  return mpi::call("MPI_Query_thread", MPI_COMM_WORLD, [&](State&) {
    mpi::require(provided, "provided") = mpi::granted(MPI_THREAD_MULTIPLE);
  });
}
EARL_MPI(Query_thread)

extern "C" int PMPI_Is_thread_main(int* flag) {
  return mpi::call("MPI_Is_thread_main", MPI_COMM_WORLD,
                   [&](State&) { mpi::require(flag, "flag") = 1; });
}
EARL_MPI(Is_thread_main)

extern "C" int PMPI_Finalize(void) {
  return mpi::call("MPI_Finalize", MPI_COMM_WORLD, mpi::finalize);
}
EARL_MPI(Finalize)

extern "C" int PMPI_Initialized(int* flag) {
  return mpi::call_any_time("MPI_Initialized", MPI_COMM_WORLD, [&](State& me) {
    mpi::require(flag, "flag") = me.stage() != State::Stage::before ? 1 : 0;
  });
}
EARL_MPI(Initialized)

extern "C" int PMPI_Finalized(int* flag) {
  return mpi::call_any_time("MPI_Finalized", MPI_COMM_WORLD, [&](State& me) {
    mpi::require(flag, "flag") = me.stage() == State::Stage::after ? 1 : 0;
  });
}
EARL_MPI(Finalized)

// Tools ask in their MPI_Init: MPI-1 has no processes that others have started.
extern "C" int PMPI_Comm_get_parent(MPI_Comm* parent) {
  return mpi::call("MPI_Comm_get_parent", MPI_COMM_WORLD,
                   [&](State&) { mpi::require(parent, "parent") = MPI_COMM_NULL; });
}
EARL_MPI(Comm_get_parent)

extern "C" int PMPI_Abort(MPI_Comm comm, int errorcode) {
  return mpi::call("MPI_Abort", comm, [&](State& me) { mpi::abort(me, comm, errorcode); });
}
EARL_MPI(Abort)

extern "C" int PMPI_Get_version(int* version, int* subversion) {
  return mpi::call_any_time("MPI_Get_version", MPI_COMM_WORLD, [&](State&) {
    mpi::require(version, "version") = MPI_VERSION;
    mpi::require(subversion, "subversion") = MPI_SUBVERSION;
  });
}
EARL_MPI(Get_version)

extern "C" int PMPI_Get_library_version(char* version, int* resultlen) {
  return mpi::call_any_time("MPI_Get_library_version", MPI_COMM_WORLD, [&](State&) {
    mpi::write_text(version, resultlen, mpi::library_version, MPI_MAX_LIBRARY_VERSION_STRING);
  });
}
EARL_MPI(Get_library_version)

extern "C" int PMPI_Get_processor_name(char* name, int* resultlen) {
  return mpi::call("MPI_Get_processor_name", MPI_COMM_WORLD,
                   [&](State&) { mpi::processor_name(name, resultlen); });
}
EARL_MPI(Get_processor_name)

extern "C" double PMPI_Wtime(void) {
  return earl::api_call(
      "MPI_Wtime",
      [](earl::Process& me) { return mpi::nanoseconds * static_cast<double>(me.clock()); },
      [](earl::Process*, earl::Error const&) { return 0.0; });
}
EARL_MPI(Wtime)

extern "C" double PMPI_Wtick(void) { return mpi::nanoseconds; }
EARL_MPI(Wtick)

extern "C" int PMPI_Pcontrol(int const, ...) { return MPI_SUCCESS; }
EARL_MPI(Pcontrol)

extern "C" int PMPI_Alloc_mem(MPI_Aint size, MPI_Info, void* baseptr) {
  return mpi::call("MPI_Alloc_mem", MPI_COMM_WORLD, [&](State&) { mpi::allocate(size, baseptr); });
}
EARL_MPI(Alloc_mem)

extern "C" int PMPI_Free_mem(void* base) {
  return mpi::call("MPI_Free_mem", MPI_COMM_WORLD, [&](State&) { earl::heap::program_free(base); });
}
EARL_MPI(Free_mem)
