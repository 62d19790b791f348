// SPDX-License-Identifier: BSD-3-Clause
/// One rank: its program, its stack, and its private parts of the C library.
#pragma once

#include <sys/types.h>

#include <boost/context/detail/fcontext.hpp>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "backends/fibers/copy.hpp"
#include "backends/fibers/heap.hpp"
#include "backends/fibers/stack.hpp"
#include "generic/process.hpp"
#include "generic/seams/shared_process.hpp"

namespace earl::fibers {

/// A function to call at exit, as __cxa_atexit has it.
struct AtExit {
  void (*function)(void*) = nullptr;
  void* argument = nullptr;
  void* library = nullptr;
};

/// Keys of pthread_key_create.
struct ThreadKey {
  void* value = nullptr;
  void (*destructor)(void*) = nullptr;
  bool used = false;
};

/// State that functions of the C library keep between calls.
struct Memories {
  char* token = nullptr;  ///< strtok
  std::vector<AtExit> at_exit{};
  std::vector<AtExit> at_thread_exit{};
  std::vector<ThreadKey> thread_keys{};
  random_data random{};
  char random_state[128] = {};
  drand48_data rand48{};
  std::vector<std::unique_ptr<char[]>> assignments{};  ///< made by setenv
  bool parsing = false;                                ///< getopt has been called
  int next_word = 1;                                   ///< that it looks at: optind
  tm date{};                                           ///< localtime, gmtime
  char date_text[32] = {};                             ///< ctime, asctime
  char error_text[64] = {};                            ///< strerror
};

/// Dispositions and mask of a rank's signals, as for sigaction(2) and sigprocmask(2).
struct Signals {
  static constexpr int last = 64;

  struct Disposition {
    void (*handler)(int) = nullptr;
    std::uint64_t held = 0;  ///< while it runs; a bit for each signal, the first is 1
    int flags = 0;
  };
  Disposition at[last + 1] = {};
  std::uint64_t held = 0;
};

/// Sends a rank SIGALRM.
struct Timer {
  Deadline next = never;    ///< never: it does not run
  Clock::duration every{};  ///< nothing: once
  std::uint64_t sets = 0;   ///< times it has been set: an alarm for an earlier time is void
};

/// Destination of a rank's standard output or error.
struct Outlet {
  SharedProcessHost* host = nullptr;
  Rank rank{};
  int stream = 0;     ///< 1 or 2
  Descriptor file{};  ///< none: it goes to the host

  /// Like write(2).
  ssize_t write(std::string_view text) const;
};

/// The crash of a rank.
struct Crash {
  bool happened = false;
  bool stack_overflow = false;
  std::uintptr_t place = 0;  ///< of the instruction, or its last byte
};

struct RankFiber {
  enum class State { ready, running, waiting, ended };

  RankFiber(RankLaunch from, std::shared_ptr<Program const> what, std::size_t stack_size,
            SharedProcessHost& host);

  // The two cache lines that each turn needs.
  alignas(64) boost::context::detail::fcontext_t context = nullptr;
  State state = State::ready;
  bool queued = false;
  Process* process = nullptr;
  std::FILE* input = nullptr;
  std::FILE* output = nullptr;
  std::FILE* error = nullptr;
  char** environment = nullptr;
  std::uint64_t waits = 0;  ///< times it has waited: an alarm for an earlier time is void
  std::uint64_t pending_signals = 0;
  std::uint64_t priority = 0;                  ///< with an odd seed
  std::shared_ptr<Descriptor const> folder{};  ///< the rank works in
  ProgramThreadLocals thread_locals{};
  mode_t creation_mask = 0;  ///< umask

  RankLaunch launch;
  std::shared_ptr<Program const> program;
  std::unique_ptr<Copy> copy;
  std::unique_ptr<RankHeap> heap;
  std::unique_ptr<Stack> stack;
  std::uint64_t clock_reads = 0;  ///< of the C library's clocks
  std::string why_waiting{};
  Outlet out;
  Outlet err;
  std::vector<char*> environment_list{};
  Timer timer{};
  int wait_status = 0;                 ///< once it has ended
  std::string failure_report{};        ///< the reason of its end, if there is one to report
  char const* fault_report = nullptr;  ///< the same by a signal handler, which allocates nothing
  Crash crash{};
  bool corrupted_shared_state = false;  ///< its end left shared state inconsistent
  bool killed_waiting = false;          ///< by another rank or EXEC
  Memories memories{};
  Signals signals{};
};

}  // namespace earl::fibers
