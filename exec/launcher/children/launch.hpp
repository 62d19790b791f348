// SPDX-License-Identifier: BSD-3-Clause
/// Starting one child, with all that a child must have before its program runs.
#pragma once

#include <sched.h>
#include <sys/resource.h>
#include <sys/types.h>

#include <csignal>
#include <optional>
#include <string>
#include <vector>

#include "exec/launcher/events/inherited.hpp"
#include "generic/system/descriptor.hpp"

namespace earl::exec {

inline constexpr pid_t own_group = -1;  ///< stay in EXEC's process group
inline constexpr pid_t new_group = 0;

struct Launch {
  std::string path;
  std::vector<std::string> arguments;    ///< with argv[0]
  std::vector<std::string> environment;  ///< whole
  std::string folder;                    ///< empty: EXEC's own
  int in = -1;
  int out = -1;
  int error = -1;
  int control = -1;         ///< the process's end of its control channel
  int control_number = -1;  ///< the descriptor it gets in the child
  pid_t group = new_group;
  std::optional<cpu_set_t> processors{};  ///< it may run on these only
  bool fixed_addresses = false;           ///< as in every run, where the system allows it
};

struct Launched {
  pid_t pid = 0;
  int error = 0;  ///< errno; 0: it runs
};

/// Takes the number that children are to get their channel as, so that nothing else in this process
/// can have it. Throws Error.
Descriptor keep_control_number(Descriptor const& any);

/// Starts the program. The child dies with EXEC's main thread, which must be the caller.
Launched launch(Launch const& what, Inherited const& inherited);

/// The wait status of an ended child, as wait(2) has it, without reaping it; null: it lives.
std::optional<int> wait_status_of(pid_t pid);

/// The calling process's children, those it has adopted included; none where the system does not
/// list them.
std::vector<pid_t> own_children();

}  // namespace earl::exec
