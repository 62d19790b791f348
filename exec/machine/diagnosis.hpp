/// What `earl doctor` says, line by line.
#pragma once

#include <string>
#include <vector>

#include "exec/layout.hpp"
#include "exec/machine/machine.hpp"

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

/// Of this installation: its libraries and headers, the compilers behind earlcc and earlfc, each
/// back end (which is prepared and thrown away), the settings.
std::vector<Finding> judge_installation(Layout const& layout);

}  // namespace earl::exec
