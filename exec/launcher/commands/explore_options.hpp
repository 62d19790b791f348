// SPDX-License-Identifier: BSD-3-Clause
/// The options of `earl explore`.
#pragma once

#include <optional>

#include "exec/launcher/commands/options.hpp"

namespace earl::exec {

/// The way in which all runs but the first are made.
enum class Engine : std::uint8_t {
  automatic,  ///< forks of one process, where it is possible
  fork,       ///< the same; a sentence says where it is not
  rerun,      ///< jobs that start anew
};

/// The first run is `job`, or the one that was recorded.
struct ExplorePlan {
  std::optional<Plan> job{};
  RecordingChoice recording{};  ///< the first run's
  ReplayPlan replay{};          ///< of it; only `replay_known`
  bool replay_known = false;
  std::uint64_t most_runs = 1000;
  double most_seconds = 60;
  std::uint64_t most_failures = 20;
  std::optional<double> run_seconds{};  ///< one run may take; null: it follows from the first run
  std::string check{};                  ///< a command that judges a run's output; empty: none
  bool same_output = false;
  std::string outputs{};  ///< a folder for what each order wrote; empty: none
  Engine engine = Engine::automatic;
  bool json = false;
};
ExplorePlan parse_explore(std::vector<std::string> const& arguments, Settings settings = {});

}  // namespace earl::exec
