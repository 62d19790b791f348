// SPDX-License-Identifier: BSD-3-Clause
/// Starts programs as child processes of EXEC.
#pragma once

#include "exec/launcher/children/launch.hpp"
#include "exec/launcher/job/launch_context.hpp"

namespace earl::exec {

class LocalLauncher {
 public:
  LocalLauncher(LaunchContext const& context, int null) : context_(context), null_(null) {}

  /// With a channel, standard input and output. Throws Error.
  Launched launch(Child& child, LaunchSpec const& spec);

 private:
  int input_of(Child const& child) const;
  pid_t group_of(Child const& child) const;

  LaunchContext context_;
  int null_;  ///< a descriptor of /dev/null
};

}  // namespace earl::exec
