// SPDX-License-Identifier: BSD-3-Clause
/// Where the output of each process goes: to the user, to a file, to its spawner or a subscriber.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "exec/launcher/children/child.hpp"
#include "exec/launcher/job/launch_spec.hpp"
#include "exec/launcher/job/output_delivery.hpp"
#include "exec/launcher/output/output.hpp"
#include "exec/launcher/plan.hpp"
#include "exec/launcher/roster/roster.hpp"
#include "generic/system/pipe.hpp"

namespace earl::exec {

class OutputRoutes {
 public:
  struct Parts {
    Plan const& plan;
    Output& output;
    Roster const& roster;
    OutputDelivery& delivery;
  };

  explicit OutputRoutes(Parts const& parts) : parts_(parts) {}

  /// A pipe that EXEC forwards, or the process's own file, of which EXEC has no end. `stream`:
  /// "out" or "err". Throws Error.
  Pipe open(Child const& child, std::string_view stream) const;
  /// The process writes to the descriptors of a guest that has loaded it.
  static bool is_direct(Child const& child) {
    return child.outlets && !child.catcher && !child.subscribed;
  }
  /// It has descriptors of its own to print to: those of a guest, or files.
  bool has_own_descriptors(Child const& child) const {
    return is_direct(child) ||
           (!parts_.plan.output_folder.empty() && !child.catcher && !child.subscribed);
  }

  /// Forwards what comes out of the pipes until their end. `writer` is the process.
  void forward(Child const& child, LaunchSpec const& spec, pid_t writer, Pipe out, Pipe error);
  /// Forwards the output of a rank of the shared process, which comes on the line that ranks share.
  void forward_shared(Child const& child, LaunchSpec const& spec);
  /// Forwards the output of a process on another host, which comes over its host's line.
  void forward_remote(Child& child, LaunchSpec const& spec);

 private:
  std::shared_ptr<CaughtOutput> caught_output(Child const& child) const;
  Stream stream_of(Child const& child, LaunchSpec const& spec) const;
  std::string prefix_of(Child const& child, LaunchSpec const& spec) const;
  void subscribe(Child const& child, LaunchSpec const& spec, pid_t writer);

  Parts parts_;
};

}  // namespace earl::exec
