// SPDX-License-Identifier: BSD-3-Clause
/// Where two runs part, for people and for programs.
#pragma once

#include <string>

namespace earl::analyse {

struct DiffOptions {
  bool json = false;
};

/// Prints the causally first differences of the runs whose events are in the two directories, and
/// the events before them. False: the runs are alike. Throws Error when a directory holds no
/// events.
bool print_diff(std::string const& a, std::string const& b, DiffOptions const& options);

}  // namespace earl::analyse
