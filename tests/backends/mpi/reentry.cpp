// SPDX-License-Identifier: BSD-3-Clause
/// The MPI below a module calls its own functions, although the program exports all of their names,
/// as a front end for MPI does, itself or in a library of MPICH's name. Two processes, started by
/// that MPI's mpiexec. usage: mpi_reentry MODULE [LIBRARY]
#include <dlfcn.h>
#include <sched.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <string_view>
#include <utility>
#include <vector>

#include "backends/mpi/module.hpp"
#include "generic/base/error.hpp"
#include "generic/system/installed_files.hpp"

extern "C" int earl_captured;
int earl_captured = 0;

namespace {

using namespace earl;
using namespace earl::mpi_backend;

constexpr int tag = 7;

void demand(bool held, char const* what) {
  if (!held) throw Error("{}", what);
}

/// Loaded so that the program's names come first, its first call comes out here. In a process of
/// its own: a loaded module stays as it is.
bool can_be_captured(char const* module) {
  pid_t const child = ::fork();
  if (child == 0) {
    int me = 0;
    int processes = 0;
    load_table<earl_library_calls>(module, "earl_library", earl_library_version, 0)
        .enter(&me, &processes);
    ::_exit(earl_captured > 0 ? 0 : 1);
  }
  int status = 0;
  return child > 0 && ::waitpid(child, &status, 0) == child && status == 0;
}

/// A name of MPI's resolves to this program's, for each caller.
bool has_the_names() {
  auto* const function = ::dlsym(RTLD_DEFAULT, "PMPI_Isend");
  if (function) reinterpret_cast<int (*)()>(function)();
  return std::exchange(earl_captured, 0) == 1;
}

/// MPICH's module has no names that a plain load could capture: it opens the library itself.
bool opens_its_library(std::string_view module) {
  return module.find("earl-mpich") != std::string_view::npos;
}

void finish(earl_library_calls const& native, earl_library_request& request) {
  int error = 0;
  int done = 0;
  while ((done = native.test(&request, nullptr, &error)) == 0) ::sched_yield();
  demand(done > 0, "a message failed");
}

/// A short message and one that MPI moves by its own arrangement, both ways at once.
void talk(earl_library_calls const& native, int me) {
  for (std::size_t const size : {std::size_t{8}, std::size_t{1} << 20}) {
    std::vector<char> const out(size, static_cast<char>('a' + me));
    std::vector<char> in(size);
    earl_library_request sent{};
    earl_library_request received{};
    demand(native.receive(in.data(), size, 1 - me, tag, &received) == 0, "receive failed");
    demand(native.send(out.data(), size, 1 - me, tag, &sent) == 0, "send failed");
    finish(native, received);
    finish(native, sent);
    demand(in == std::vector<char>(size, static_cast<char>('b' - me)), "the message is another");
  }
}

void run(char const* module) {
  demand(has_the_names(), "this test cannot fail: the names of MPI are not captured");
  demand(opens_its_library(module) || can_be_captured(module),
         "this test cannot fail: a module loaded plainly is not captured");
  auto const& native = load_module(module);
  int me = -1;
  int processes = 0;
  demand(native.enter(&me, &processes) == 0, "MPI does not begin");
  demand(processes == 2, "two processes are needed");
  talk(native, me);
  earl_library_request unmatched{};
  char room = 0;
  demand(native.receive(&room, 1, earl_library_any, tag, &unmatched) == 0, "receive failed");
  demand(native.cancel(&unmatched) == 0, "cancel failed");
  demand(native.error_text(1) != nullptr, "an error has no text");
  demand(native.leave() == 0, "MPI does not end");
  demand(earl_captured == 0, "a call inside MPI came out of the module");
}

}  // namespace

int main(int, char** arguments) {
  try {
    if (arguments[2] && !::dlopen(arguments[2], RTLD_NOW | RTLD_GLOBAL))
      throw Error("{}", ::dlerror());
    run(arguments[1]);
  } catch (Error const& error) {
    std::fprintf(stderr, "%s (%d calls came out)\n", error.what(), earl_captured);
    return 1;
  }
  std::puts("EARL-OK");
}
