// SPDX-License-Identifier: BSD-3-Clause
/// The differences in the starts of two recorded runs.
#pragma once

#include <string>
#include <vector>

namespace earl::analyse {

struct StartDifference {
  std::string of{};  ///< "command", "NAME in the environment"
  std::string a{};
  std::string b{};
};

/// Compares what the recordings hold of it: programs by build-id, standard input by its bytes.
/// Empty, too, for directories that hold events and are no recordings. Never throws.
std::vector<StartDifference> start_differences(std::string const& a, std::string const& b);

}  // namespace earl::analyse
