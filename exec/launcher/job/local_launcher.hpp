// SPDX-License-Identifier: BSD-3-Clause
/// Starts programs as child processes of EXEC.
#pragma once

#include "exec/launcher/children/launch.hpp"
#include "exec/launcher/job/launch_context.hpp"
#include "exec/launcher/resources/cpu_binding.hpp"

namespace earl::exec {

class LocalLauncher {
 public:
  /// Throws Error when processes are to be bound and this host's cores are unknown.
  LocalLauncher(LaunchContext const& context, int null);

  /// With a channel, standard input and output. Throws Error.
  Launched launch(Child& child, LaunchSpec const& spec);

 private:
  int input_of(Child const& child) const;
  pid_t group_of(Child const& child) const;

  LaunchContext context_;
  int null_;  ///< a descriptor of /dev/null
  CpuBinding binding_;
};

}  // namespace earl::exec
