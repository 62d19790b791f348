// SPDX-License-Identifier: BSD-3-Clause
/// The receives that raced, and with which messages, for people and for programs.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "debug/analyse/candidates.hpp"

namespace earl::analyse {

struct RacesOptions {
  bool json = false;
  bool frontier = false;  ///< only those
  bool all = false;       ///< each, not only one for each set of lines
};

/// Prints the races of the run whose events are in `folder`. Throws Error when there are no events.
void print_races(std::string const& folder, RacesOptions const& options);
/// A paragraph for each set of lines.
void print_races(History const& history, std::vector<Race> const& races);
nlohmann::json races_to_json(History const& history, std::vector<Race> const& races);

}  // namespace earl::analyse
