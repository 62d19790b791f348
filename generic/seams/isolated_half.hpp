// SPDX-License-Identifier: BSD-3-Clause
/// For a debugger's half in EXEC whose code runs in a process of its own beside EXEC.
#pragma once

#include <sys/types.h>

#include <functional>
#include <string_view>

namespace earl {

/// A JobInterceptor that is one of these, too, may fail at any call, and none of its calls throws.
class IsolatedHalf {
 public:
  using End = std::function<void(int exit_code, std::string_view sentence)>;
  /// Before the job starts. `end` reports the sentence and ends the job as soon as EXEC has dealt
  /// with the event under way; when the job is over it only reports.
  virtual void may_end_job(End end) = 0;
  /// The process, a child of EXEC. Only its half signals it and waits for its end.
  virtual pid_t process() const = 0;

 protected:
  ~IsolatedHalf() = default;
};

}  // namespace earl
