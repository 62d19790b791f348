// SPDX-License-Identifier: BSD-3-Clause
/// Both ends of a fork: a child that does not outlive its parent, a parent that waits for its
/// child.
#pragma once

#include <sys/prctl.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>

namespace earl {

/// In a child: it gets `signal` when its parent ends, and ends now if that was before. System calls
/// only.
inline void end_with_parent(pid_t parent, int signal = SIGKILL) {
  ::prctl(PR_SET_PDEATHSIG, signal);
  if (::getppid() != parent) ::_exit(1);
}

/// Waits for the end of a child. Its wait status; -1: it is no child.
inline int await_child(pid_t child) {
  int status = -1;
  while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  return status;
}

}  // namespace earl
