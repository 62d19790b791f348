// SPDX-License-Identifier: BSD-3-Clause
/// Runs of a recorded job as forks of one process in which all ranks are loaded
/// (exec/runtime/branch_server.hpp).
#pragma once

#include <sys/types.h>

#include <map>
#include <string>
#include <vector>

#include "exec/launcher/commands/options.hpp"
#include "exec/runtime/branch_request.hpp"
#include "exec/runtime/control.hpp"

namespace earl::exec {

class Branches {
 public:
  /// Why the job's runs cannot be forks, as the end of a sentence; empty: they can.
  static std::string objection(ReplayPlan const& replay);

  /// Starts the process. `common`: a folder to be made, for files that all recordings have.
  Branches(ReplayPlan replay, std::string common);
  /// Ends it.
  ~Branches();
  Branches(Branches const&) = delete;
  Branches& operator=(Branches const&) = delete;

  struct Trial {
    std::vector<control::ToolUse> tools{};  ///< the recorder and the events are last
    std::string folder{};                   ///< that they write
    int output = -1;                        ///< a file for standard output
    double seconds = 0;                     ///< the run may take
  };
  /// Begins a run; its number is for end_of().
  std::uint32_t begin(Trial const& trial);
  /// Waits for its end. Only of a healthy run the recording and the output are those of the job.
  control::BranchEnd end_of(std::uint32_t number);

 private:
  void start(ReplayPlan replay);
  bool receive();

  std::string common_{};
  Descriptor line_{};  ///< none: the process has ended
  pid_t job_ = 0;
  std::uint32_t begun_ = 0;
  std::map<std::uint32_t, std::string> under_way_{};  ///< folders, by number
  std::map<std::uint32_t, control::BranchEnd> ended_{};
  control::Assembler incoming_{};
  std::vector<std::byte> room_ = std::vector<std::byte>(control::most_packet);
};

}  // namespace earl::exec
