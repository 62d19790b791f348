// SPDX-License-Identifier: BSD-3-Clause
/// Runs a job in one order after the other, until one fails or all have been tried.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "debug/analyse/history.hpp"
#include "debug/explore/search.hpp"
#include "debug/trace/path.hpp"
#include "exec/launcher/commands/branches.hpp"
#include "exec/launcher/commands/explore_options.hpp"
#include "exec/launcher/commands/trial_run.hpp"

namespace earl::exec {

/// A way in which runs fail. Two runs that end alike are one.
struct Failure {
  int exit_code = 0;
  std::string what{};      ///< as text
  std::string key{};       ///< the same for the same failure
  std::uint64_t runs = 0;  ///< that ended so
  trace::Path path{};      ///< from the first run to it; empty: the first run itself, or none holds
  std::string recording{};
};

class Explorer {
 public:
  explicit Explorer(ExplorePlan plan);
  /// Removes the recordings of runs that are not reported.
  ~Explorer();
  Explorer(Explorer const&) = delete;
  Explorer& operator=(Explorer const&) = delete;

  void explore();

  std::string const& recording() const { return base_; }
  std::vector<Failure> const& failures() const { return failures_; }
  explore::Search const& search() const { return search_; }
  std::uint64_t runs() const { return runs_; }
  /// The number of those that were forks of one process.
  std::uint64_t forked() const { return forked_; }
  double seconds() const;
  /// The reason for its end; empty: nothing was left to try.
  std::string const& stopped_by() const { return stopped_by_; }
  /// Every order that follows from the races of the runs so far has been run.
  bool tried_all() const;

 private:
  using Clock = std::chrono::steady_clock;

  /// One that is over.
  struct Run {
    std::string folder{};  ///< its recording
    TrialRun ended{};
    analyse::History history{};
  };

  /// One that has begun.
  struct Fork {
    std::uint32_t number = 0;
    std::string folder{};
    Descriptor output{};
  };

  /// A run that was the first with its order.
  struct KnownOrder {
    std::string folder{};
    trace::Path flips{};  ///< what was chosen on the way to it
    /// Numbers in `checkpoints_` of those that its beginning agrees with, in their order.
    std::vector<std::size_t> checkpoints{};
    bool was_tried = false;  ///< a trial has begun that starts from it
  };
  struct KeptProcess {
    std::size_t number = 0;  ///< in `branches_`
    trace::Path places{};    ///< where it is
  };

  void record_base();
  void try_orders();
  void try_at_random();
  bool may_go_on();
  Run run_from(std::size_t from, trace::Path const& path, std::uint32_t seed = 0);
  std::string replay_argument(std::string const& from, trace::Path const& path) const;
  std::vector<control::ToolUse> tools_for(std::string const& from, trace::Path const& path,
                                          std::string const& into) const;
  int replay_in_child(std::vector<control::ToolUse> const& tools, std::uint32_t seed) const;
  void know_replay();
  bool may_fork();
  std::optional<Run> run_by_fork(std::size_t from, trace::Path const& path);
  Fork begin_fork(std::size_t from, trace::Path const& path);
  Fork take_fork(std::size_t from, trace::Path const& path);
  void make_checkpoint(explore::Trial const& first);
  std::vector<std::size_t> checkpoints_before(std::size_t run, trace::Path const& path) const;
  void begin_coming();
  void drop(Fork const& fork);
  std::size_t start_behind(std::vector<std::size_t> const& checkpoints) const;
  void add_run(Run& run, trace::Path const& flips, std::vector<std::size_t> checkpoints);
  bool did_otherwise(Run const& run, trace::Path const& path) const;
  void remove_recording(std::string const& folder);
  std::string new_folder();

  std::optional<Failure> judge(Run const& run) const;
  int check(TrialRun const& ended) const;
  void note(Failure failure, Run const& run);
  void write_output(Run const& run) const;
  trace::Path path_to(Failure const& failure, analyse::History const& failed,
                      trace::Path const& flips);
  bool leads_to(trace::Path const& path, std::string const& key);
  bool reproduces(trace::Path const& path, std::string const& key);
  void keep(Failure& failure, std::string const& folder);

  ExplorePlan plan_;
  std::string base_{};       ///< the first run's recording
  std::string temporary_{};  ///< the others'
  std::size_t runs_ahead_ = 0;
  pid_t watchdog_ = 0;  ///< removes them when this process is killed; 0: none
  std::string base_output_{};
  explore::Search search_{};
  analyse::History base_history_{};
  std::vector<KnownOrder> known_{};  ///< by run
  bool has_checkpoints_ = false;
  std::vector<KeptProcess> checkpoints_{};
  std::vector<Failure> failures_{};
  std::string stopped_by_{};
  std::uint64_t runs_ = 0;
  std::uint64_t forked_ = 0;
  int refused_forks_ = 0;  ///< in a row: only EXEC had the answers
  std::optional<Branches> branches_{};
  /// Begun before the search has come to them, by what they replay.
  std::map<std::string, Fork> ahead_{};
  std::uint64_t folders_made_ = 0;
  bool disturbed_ = false;  ///< a run diverged or did not end: there may be more than was seen
  Clock::time_point begun_ = Clock::now();
  double run_seconds_ = 0;   ///< one run may take
  double fork_seconds_ = 0;  ///< the same; by more it is taken for one that will not end
};

}  // namespace earl::exec
