// SPDX-License-Identifier: BSD-3-Clause
/// The signals EXEC answers, as events of its loop.
#pragma once

#include <sys/types.h>

#include <csignal>
#include <functional>

#include "exec/launcher/events/loop.hpp"
#include "generic/system/descriptor.hpp"

namespace earl::exec {

struct SignalEvent {
  int number = 0;
  pid_t sender = 0;            ///< SIGCHLD: the child
  bool from_terminal = false;  ///< the kernel sent it to the whole group
};

/// While it lives, SIGCHLD and the user's signals come as events; one that EXEC was started with
/// as ignored (nohup, a script's background job) stays ignored. After it they wait for ever: EXEC
/// is leaving then, with the exit code of its job.
class Signals {
 public:
  Signals(Loop& loop, std::function<void(SignalEvent const&)> on_signal);
  ~Signals();
  Signals(Signals const&) = delete;
  Signals& operator=(Signals const&) = delete;

  /// Stops EXEC as Ctrl-Z stops a program; returns when it is continued, or at once where no shell
  /// could continue it (none with job control).
  void stop_here();

  /// The state that EXEC was started with.
  sigset_t const& mask_before() const { return before_; }

 private:
  void ready();

  Loop& loop_;
  std::function<void(SignalEvent const&)> on_signal_;
  sigset_t before_{};
  Descriptor fd_;
};

}  // namespace earl::exec
