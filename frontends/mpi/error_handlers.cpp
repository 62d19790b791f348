// SPDX-License-Identifier: BSD-3-Clause
/// Standard, 7.2 and 7.3: error handlers, codes and classes.
#include <string_view>

#include "frontends/mpi/text.hpp"
#include "frontends/mpi/window_calls.hpp"

namespace earl::mpi {

namespace {

void create(State& me, MPI_Comm_errhandler_function* function, Handle* result) {
  Handle& errhandler = require(result, "errhandler");
  if (!function) throw MpiError(ErrorClass::arg, "function is a null pointer: pass a function");
  auto made = make<Errhandler>(Errhandler::Manner::calls, 0, function);
  errhandler = made->handle = me.errhandlers().open(made);
}

/// The program has one more handle of it, the same as before.
void get(State& me, Communicator const& comm, Handle* result) {
  Handle& errhandler = require(result, "errhandler");
  Errhandler& current = *comm.errhandler;
  if (current.handle == MPI_ERRHANDLER_NULL)
    current.handle = me.errhandlers().open(comm.errhandler);
  ++current.uses;
  errhandler = current.handle;
}

void free_handler(State& me, Handle* errhandler) {
  Handle& value = require(errhandler, "errhandler");
  Ref<Errhandler> const freed = me.errhandler(value);
  if (freed->manner == Errhandler::Manner::calls && --freed->uses == 0) {
    me.errhandlers().close(value);
    freed->handle = MPI_ERRHANDLER_NULL;
  }
  value = MPI_ERRHANDLER_NULL;
}

int call_handler(State& me, Communicator& comm, char const* name, int code) {
  MpiError const error(ErrorClass::other, "the program says that error {} ({}) has happened", code,
                       error_text(code));
  return me.judge(comm, name, code, error);
}

int class_of_code(int code) {
  return name_of(static_cast<ErrorClass>(code)) ? code : code_of(ErrorClass::unknown);
}

}  // namespace
}  // namespace earl::mpi

namespace mpi = earl::mpi;
using mpi::State;

extern "C" int PMPI_Errhandler_create(MPI_Comm_errhandler_function* function,
                                      MPI_Errhandler* errhandler) {
  return mpi::call("MPI_Errhandler_create", MPI_COMM_WORLD,
                   [&](State& me) { mpi::create(me, function, errhandler); });
}
EARL_MPI(Errhandler_create)

extern "C" int PMPI_Comm_create_errhandler(MPI_Comm_errhandler_function* function,
                                           MPI_Errhandler* errhandler) {
  return mpi::call("MPI_Comm_create_errhandler", MPI_COMM_WORLD,
                   [&](State& me) { mpi::create(me, function, errhandler); });
}
EARL_MPI(Comm_create_errhandler)

extern "C" int PMPI_Errhandler_set(MPI_Comm comm, MPI_Errhandler errhandler) {
  return mpi::call("MPI_Errhandler_set", comm, [&](State& me) {
    me.communicator(comm).errhandler = me.errhandler(errhandler);
  });
}
EARL_MPI(Errhandler_set)

extern "C" int PMPI_Comm_set_errhandler(MPI_Comm comm, MPI_Errhandler errhandler) {
  return mpi::call("MPI_Comm_set_errhandler", comm, [&](State& me) {
    me.communicator(comm).errhandler = me.errhandler(errhandler);
  });
}
EARL_MPI(Comm_set_errhandler)

extern "C" int PMPI_Errhandler_get(MPI_Comm comm, MPI_Errhandler* errhandler) {
  return mpi::call("MPI_Errhandler_get", comm,
                   [&](State& me) { mpi::get(me, me.communicator(comm), errhandler); });
}
EARL_MPI(Errhandler_get)

extern "C" int PMPI_Comm_get_errhandler(MPI_Comm comm, MPI_Errhandler* errhandler) {
  return mpi::call("MPI_Comm_get_errhandler", comm,
                   [&](State& me) { mpi::get(me, me.communicator(comm), errhandler); });
}
EARL_MPI(Comm_get_errhandler)

extern "C" int PMPI_Errhandler_free(MPI_Errhandler* errhandler) {
  return mpi::call("MPI_Errhandler_free", MPI_COMM_WORLD,
                   [&](State& me) { mpi::free_handler(me, errhandler); });
}
EARL_MPI(Errhandler_free)

extern "C" int PMPI_Comm_call_errhandler(MPI_Comm comm, int errorcode) {
  return mpi::call("MPI_Comm_call_errhandler", comm, [&](State& me) {
    mpi::call_handler(me, me.communicator(comm), "MPI_Comm_call_errhandler", errorcode);
  });
}
EARL_MPI(Comm_call_errhandler)

extern "C" int PMPI_Win_create_errhandler(MPI_Win_errhandler_function* function,
                                          MPI_Errhandler* errhandler) {
  return mpi::call("MPI_Win_create_errhandler", MPI_COMM_WORLD,
                   [&](State& me) { mpi::create(me, function, errhandler); });
}
EARL_MPI(Win_create_errhandler)

extern "C" int PMPI_Win_set_errhandler(MPI_Win win, MPI_Errhandler errhandler) {
  return mpi::call_on_window("MPI_Win_set_errhandler", win, [&](State& me, mpi::Window& window) {
    window.scope->errhandler = me.errhandler(errhandler);
  });
}
EARL_MPI(Win_set_errhandler)

extern "C" int PMPI_Win_get_errhandler(MPI_Win win, MPI_Errhandler* errhandler) {
  return mpi::call_on_window("MPI_Win_get_errhandler", win, [&](State& me, mpi::Window& window) {
    mpi::get(me, *window.scope, errhandler);
  });
}
EARL_MPI(Win_get_errhandler)

extern "C" int PMPI_Win_call_errhandler(MPI_Win win, int errorcode) {
  return mpi::call_on_window("MPI_Win_call_errhandler", win, [&](State& me, mpi::Window& window) {
    mpi::call_handler(me, *window.scope, "MPI_Win_call_errhandler", errorcode);
  });
}
EARL_MPI(Win_call_errhandler)

extern "C" int PMPI_Error_string(int errorcode, char* string, int* resultlen) {
  return mpi::call("MPI_Error_string", MPI_COMM_WORLD, [&](State&) {
    mpi::write_text(string, resultlen, mpi::error_text(errorcode), MPI_MAX_ERROR_STRING);
  });
}
EARL_MPI(Error_string)

extern "C" int PMPI_Error_class(int errorcode, int* errorclass) {
  return mpi::call("MPI_Error_class", MPI_COMM_WORLD, [&](State&) {
    mpi::require(errorclass, "errorclass") = mpi::class_of_code(errorcode);
  });
}
EARL_MPI(Error_class)
