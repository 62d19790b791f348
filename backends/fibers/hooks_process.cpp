// SPDX-License-Identifier: BSD-3-Clause
/// Start and end of a rank.
#include <unistd.h>

#include <csignal>
#include <cstdlib>

#include "backends/fibers/crash.hpp"
#include "backends/fibers/here.hpp"
#include "backends/fibers/hooks.hpp"
#include "generic/base/error.hpp"

namespace earl::fibers {

namespace {

using Initializer = void (*)(int, char**, char**);
using Finalizer = void (*)();

void run_list(Copy const& copy, std::size_t image, Routines const& list, int argc, char** argv) {
  auto const base = copy.base(image);
  if (list.one != 0) reinterpret_cast<Initializer>(base + list.one)(argc, argv, environ);
  auto const* const array = reinterpret_cast<Initializer const*>(base + list.array);
  for (std::size_t i = 0; i < list.count; ++i) array[i](argc, argv, environ);
}

void finish_list(Copy const& copy, std::size_t image, Routines const& list) {
  auto const base = copy.base(image);
  auto const* const array = reinterpret_cast<Finalizer const*>(base + list.array);
  for (std::size_t i = list.count; i-- > 0;) array[i]();
  if (list.one != 0) reinterpret_cast<Finalizer>(base + list.one)();
}

/// The C library's first function, called by the program's own start code. A program made before
/// glibc 2.34 carries the code that runs its constructors itself.
int start_main(int (*main)(int, char**, char**), int argc, char** argv, Initializer initialize,
               Finalizer finalize, Finalizer, void*) {
  auto& copy = *me().copy;
  auto const& images = copy.program().images();
  for (std::size_t i = images.size(); i-- > 1;)
    run_list(copy, i, images[i]->at_start(), argc, argv);
  if (finalize)
    me().memories.at_exit.push_back({.function = reinterpret_cast<void (*)(void*)>(finalize)});
  if (initialize) {
    initialize(argc, argv, environ);
  } else {
    run_list(copy, 0, images[0]->before_start(), argc, argv);
    run_list(copy, 0, images[0]->at_start(), argc, argv);
  }
  exit_rank(main(argc, argv, environ));
}

void run_exit_handlers() {
  auto& list = me().memories.at_exit;
  while (!list.empty()) {
    auto const last = list.back();
    list.pop_back();
    last.function(last.argument);
  }
}

int cxa_atexit(void (*function)(void*), void* argument, void* library) {
  me().memories.at_exit.push_back({.function = function, .argument = argument, .library = library});
  return 0;
}

int at_exit(void (*function)()) {
  return cxa_atexit(reinterpret_cast<void (*)(void*)>(function), nullptr, nullptr);
}

/// Called by a file's own end code; all has been run by then.
void cxa_finalize(void*) {}

void exit_at_once(int code) { terminate_rank((code & 0xff) << 8); }
void abort_rank() {
  auto const caller = reinterpret_cast<std::uintptr_t>(__builtin_return_address(0));
  ucontext_t context;
  ::getcontext(&context);
  note_crash(me(), caller - 1, context);
  raise_in_rank(SIGABRT);  // which does not return, if the program does not handle it
  terminate_rank(SIGABRT);
}

}  // namespace

void terminate_rank(int wait_status) {
  me().wait_status = wait_status;
  here.scheduler->end();
}

void exit_rank(int code) {
  run_thread_exit_handlers();
  run_exit_handlers();
  auto& copy = *me().copy;
  auto const& images = copy.program().images();
  for (std::size_t i = 0; i < images.size(); ++i) finish_list(copy, i, images[i]->at_end());
  try {
    if (current_process) current_process->leave(code);
  } catch (Error const& error) {
    me().failure_report = error.what();
  }
  std::fflush(stdout);
  terminate_rank((code & 0xff) << 8);
}

std::span<Hook const> process_hooks() {
  static Hook const table[] = {
      hook("__libc_start_main", start_main),
      hook("exit", exit_rank),
      hook("_exit", exit_at_once),
      hook("_Exit", exit_at_once),
      hook("quick_exit", exit_at_once),
      hook("abort", abort_rank),
      hook("atexit", at_exit),
      hook("__cxa_atexit", cxa_atexit),
      hook("__cxa_finalize", cxa_finalize),
  };
  return table;
}

}  // namespace earl::fibers
