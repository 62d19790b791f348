// SPDX-License-Identifier: BSD-3-Clause
/// The consequences of one process's failure for its job.
#pragma once

#include <utility>
#include <vector>

#include "exec/launcher/children/child_table.hpp"
#include "exec/launcher/job/interceptors.hpp"
#include "exec/launcher/job/serving.hpp"
#include "exec/launcher/job/shutdown.hpp"
#include "exec/launcher/output/output.hpp"

namespace earl::exec {

class FailurePolicy {
 public:
  class Client {
   public:
    virtual Serving serving() const = 0;
    /// The processes of its partition end with it.
    virtual void end_partition_of(Child const& child) = 0;

   protected:
    ~Client() = default;
  };
  struct Parts {
    Output& output;
    ChildTable const& children;
    Shutdown& shutdown;
    JobInterceptors const& interceptors;
  };

  FailurePolicy(Parts const& parts, Client& client) : parts_(parts), client_(client) {}

  /// Reports once how `child` has failed, if it has, and ends the job unless its front end lives
  /// on.
  void judge(Child& child);
  /// Processes whose failures debuggers have held back; no longer.
  std::vector<Rank> take_held_back() { return std::exchange(held_back_, {}); }

 private:
  void report_kept(Child const& child);
  void report_survived(Child const& child, std::uint32_t others);
  void end_job(Child const& child, std::uint32_t others);

  Parts parts_;
  Client& client_;
  std::vector<Rank> held_back_{};
};

}  // namespace earl::exec
