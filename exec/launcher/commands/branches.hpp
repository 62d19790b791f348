// SPDX-License-Identifier: BSD-3-Clause
/// Runs of a recorded job as forks of one process in which all ranks are loaded
/// (exec/runtime/branch_server.hpp).
#pragma once

#include <sys/types.h>

#include <map>
#include <optional>
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

  /// Whether the debuggers of a run can go on as those of another one, and recordings agree up to
  /// where they differ.
  static bool may_checkpoint(ReplayPlan const& replay);

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
  /// Begins a run at the start of the job, or at a checkpoint; its number is for end_of().
  std::uint32_t begin(Trial const& trial, std::size_t from = start);
  /// Waits for its end. Only of a healthy run the recording and the output are those of the job.
  control::BranchEnd end_of(std::uint32_t number);

  /// Begins a run that stops where its tools say. Waits until it is there. Gives the checkpoint's
  /// number for begin(); null: the run has not come there, or cannot be forked there.
  std::optional<std::size_t> make_checkpoint(Trial const& trial, std::size_t from = start);

  static constexpr std::size_t start = 0;  ///< of the job

 private:
  /// To a process that is forked for runs.
  struct Line {
    Descriptor socket{};   ///< none: the process has ended
    std::string folder{};  ///< of a checkpoint: its recording so far
    control::Assembler incoming{};
    bool ready = false;
  };

  struct UnderWay {
    std::string folder{};
    std::size_t line = 0;  ///< in `lines_`
  };

  void start_job(ReplayPlan replay);
  std::uint32_t order(Trial const& trial, std::size_t from, Descriptor const& line);
  void link_ended(std::size_t line, std::string const& folder) const;
  bool receive();
  void receive(Line& line);

  std::string common_{};
  std::vector<Line> lines_{};  ///< the first one is the job's
  pid_t job_ = 0;
  std::uint32_t begun_ = 0;
  std::map<std::uint32_t, UnderWay> under_way_{};  ///< by number
  std::map<std::uint32_t, control::BranchEnd> ended_{};
  std::vector<std::byte> room_ = std::vector<std::byte>(control::most_packet);
};

}  // namespace earl::exec
