// SPDX-License-Identifier: BSD-3-Clause
/// What `earl doctor` says, line by line.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "exec/launcher/layout.hpp"
#include "exec/launcher/machine/machine.hpp"
#include "generic/seams/backend.hpp"

namespace earl::exec {

enum class Health {
  good,
  limited,  ///< Earl works, with less than it could have
  broken,   ///< something does not work at all
};

struct Finding {
  std::string what;
  Health health = Health::good;
  std::string detail;
  std::string advice{};  ///< what to do; empty when good
};

/// Of the machine: nothing is looked at but `facts`.
std::vector<Finding> judge_machine(MachineFacts const& facts);

/// Of the native libraries that back end `machine` can stand on.
std::vector<Finding> judge_libraries(std::string_view machine,
                                     std::vector<NativeLibrary> const& libraries);

/// Of this installation: its libraries and headers, the compilers behind earlcc and earlfc, each
/// back end (which is prepared and thrown away) and what it can stand on, the settings.
std::vector<Finding> judge_installation(Layout const& layout);

}  // namespace earl::exec
