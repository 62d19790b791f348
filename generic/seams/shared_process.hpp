// SPDX-License-Identifier: BSD-3-Clause
/// For back ends whose ranks are not processes of their own: EXEC starts one process, the shared
/// process, and all ranks live in it. exec/ has the line to EXEC, the back end has the ranks; one
/// thread.
#pragma once

#include <array>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "generic/base/bytes.hpp"
#include "generic/base/values.hpp"
#include "generic/system/descriptor.hpp"

namespace earl {

class Process;
struct Loaded;

/// A rank that is to live in the shared process.
struct RankLaunch {
  Rank rank{};
  std::string path{};                    ///< of its program's file
  std::string front_end{};               ///< that the program is linked with
  std::vector<std::string> arguments{};  ///< with argv[0]
  std::vector<std::string> environment{};
  std::string folder{};  ///< it works in; empty: the shared process's own
  /// Libraries that stand before the program's own and wrap their calls, the first outermost.
  std::vector<std::string> wrappers{};
  Descriptor input{};   ///< none: it has nothing to read
  Descriptor output{};  ///< none: its output goes to the SharedProcessHost
  Descriptor error{};   ///< the same
};

/// The functions of exec/ that a shared process needs.
class SharedProcessHost {
 public:
  /// On the rank's own stack, before its program runs: makes its Process, which is the caller's
  /// once the rank has ended. Throws Error.
  virtual Process& enrol(Rank rank) = 0;
  /// A sentence for EXEC's report on the rank's end, which must follow, with that exit code.
  virtual void report_failure(Rank rank, int exit_code, std::string_view why) = 0;
  /// It has written to its standard output (`stream` 1) or error (2). Waits while the user does not
  /// read.
  virtual void printed(Rank rank, int stream, std::string_view text) = 0;
  /// The place of a crash as text: "in work at ring.c:12, called by main at ring.c:30". `context`
  /// is a signal handler's, or getcontext()'s, of a stack that is unchanged since. `place` is the
  /// instruction to begin with, or its last byte; `loaded` the rank's code.
  virtual std::string calls(void const* context, std::uintptr_t place,
                            std::span<Loaded const> loaded) = 0;
  /// The rank has ended, and how, as wait(2) reports it.
  virtual void ended(Rank rank, int wait_status) = 0;

 protected:
  ~SharedProcessHost() = default;
};

/// A file that the shared process has mapped for the running rank, where the system's loader knows
/// of none.
struct Loaded {
  std::string_view path{};       ///< absolute; valid while the rank lives
  std::uintptr_t base = 0;       ///< that the file's address 0 is at
  std::size_t size = 0;          ///< bytes from there on
  void const* frames = nullptr;  ///< its .eh_frame_hdr: how to unwind a stack; null: it has none
};

/// The back end's half: runs ranks, one at a time. Calls come from the shared process's own stack
/// or, within a call of the SharedProcessHost or of the rank's Executive, from the running rank's.
class SharedProcess {
 public:
  virtual ~SharedProcess() = default;
  /// Loads the program; it does not run yet. Throws Error when this back end cannot take it.
  virtual void load(RankLaunch launch) = 0;
  /// Like kill(2) to a process; nothing for a rank that has ended.
  virtual void signal(Rank rank, int number) = 0;
  /// There is a word from EXEC for the rank.
  virtual void notify_control(Rank rank) = 0;
  /// Runs ranks until none can continue, or for a bounded time. Returns when to call again at the
  /// latest: the epoch: at once; never: when something has happened.
  virtual Deadline run() = 0;
  /// Packets that ranks have sent each other so far.
  virtual std::uint64_t traffic() const { return 0; }

  // --- of the running rank
  /// The file that `address` lies in; null: none that the shared process has loaded. In any
  /// context.
  virtual std::optional<Loaded> loaded_at(std::uintptr_t /*address*/) const { return std::nullopt; }
  /// The notes in its program's file.
  virtual std::vector<Bytes> notes() const { return {}; }
  /// A function that its program, or else a library with a copy for each rank, gives to others;
  /// null: there is none of that name.
  virtual void* function(std::string_view /*name*/) const { return nullptr; }
  /// Something else than a message may set it going: it has a timer, or a handler for signals.
  virtual bool may_be_woken() const { return false; }
  /// Lets the others run first.
  virtual void yield() {}
  /// Like exit(3): the program's exit handlers run.
  [[noreturn]] virtual void exit(int code) = 0;
  /// Like _exit(2).
  [[noreturn]] virtual void quit(int code) = 0;
  /// A line on its standard error, behind its earlier output.
  virtual void print(std::string_view line) = 0;
};

}  // namespace earl
