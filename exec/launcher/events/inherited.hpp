// SPDX-License-Identifier: BSD-3-Clause
/// The state that EXEC was started with and passes on to the programs that it starts.
#pragma once

#include <sys/resource.h>

#include <csignal>

namespace earl::exec {

/// The state that EXEC found and changed for itself, and children get back.
struct Inherited {
  sigset_t mask{};
  rlimit files{};
  bool sigpipe_ignored = false;
  rlim_t mark = 0;  ///< of the job (mark.hpp)
};

}  // namespace earl::exec
