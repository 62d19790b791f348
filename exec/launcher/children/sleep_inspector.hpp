// SPDX-License-Identifier: BSD-3-Clause
/// Whether a process still runs, seen from outside.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <cstdint>
#include <optional>

#include "generic/seams/report.hpp"

namespace earl::exec {

/// Looks at a process through /proc. One that may move by itself (in sleep() or another wait with
/// a limit, in a read, stopped, in a debugger), or that cannot be looked at, counts as moving.
class SleepInspector {
 public:
  struct Trace {
    std::uint64_t ticks = 0;     ///< CPU time used
    std::uint64_t switches = 0;  ///< times it went to sleep of its own will

    bool operator==(Trace const&) const = default;
  };

  /// CPU time so far of a process that sleeps in some system call; one that reads its standard
  /// input waits for the user. Null: it runs, it waits for the user, or it is unknown.
  static std::optional<Trace> sleeps(pid_t process);
  /// Adds the system call and the program's stack of a process that sleeps to `report`. Takes
  /// `most` at the most. Leaves `report` unchanged if the system does not allow ptrace, or if the
  /// stop would be visible to the program.
  static void look_into(pid_t process, std::chrono::milliseconds most, Report& report);
  /// True: since the last look, which was at the same process, it has not run, and it waits for
  /// something without a limit or has ended.
  bool holds(pid_t process);

 private:
  static std::optional<Trace> asleep(pid_t pid);

  pid_t process_ = 0;
  std::optional<Trace> before_{};  ///< of `process_`; null: it moved
};

}  // namespace earl::exec
