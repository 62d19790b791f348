// SPDX-License-Identifier: BSD-3-Clause
/// The one shared process of this process, for functions that are called as if by the C library.
#pragma once

#include "backends/fibers/port.hpp"
#include "backends/fibers/scheduler.hpp"

namespace earl::fibers {

struct CurrentSharedProcess {
  Scheduler* scheduler = nullptr;  ///< null: this process is no shared process
  SharedProcessHost* host = nullptr;
  Exposures exposures{};
  BoardTable boards{};
  CommonMemory common_memory{};
};
/// One global, because programs call the C library without naming their rank.
extern CurrentSharedProcess here;

/// The rank whose code is running.
inline RankFiber& me() { return *here.scheduler->current(); }

/// Ends the running rank at once. `wait_status` as wait(2) has it.
[[noreturn]] void terminate_rank(int wait_status);
/// Like exit(3): exit handlers, destructors, streams, the job is left.
[[noreturn]] void exit_rank(int code);
/// From now on, memory that Earl gives a program to free is in the rank's heap.
void enable_rank_heaps();
/// Runs the destructors of thread-local variables.
void run_thread_exit_handlers();
/// A signal for a rank that lives: it reacts when it goes on, or ends at once.
void signal_rank(RankFiber& one, int number);
/// Like raise(3); returns when the program handles or ignores the signal.
void raise_in_rank(int number);
/// Runs the handlers of signals that have come and are not held back, or ends.
void take_signals();
void call_handler(Signals::Disposition const& what, int number, siginfo_t* facts, void* context);
/// Whether a signal ends a program that has not said otherwise.
bool ends_by_default(int number);

}  // namespace earl::fibers
