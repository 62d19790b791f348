// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <sched.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "exec/launcher/output/catcher.hpp"
#include "exec/launcher/output/output_subscription.hpp"
#include "exec/launcher/programs/programs.hpp"
#include "generic/base/values.hpp"

namespace earl::exec {

/// Settings of started processes; those of one spawn have them in common.
struct LaunchSpec {
  std::string name;  ///< of the program, for people
  Program program;
  std::vector<std::string> arguments;  ///< with argv[0]
  std::vector<std::string> environment{};
  std::string folder{};
  std::optional<cpu_set_t> processors{};
  std::string processor_list{};  ///< the same as the user has written it
  std::uint32_t flags = 0;
  std::uint32_t label = 0;
  Rank parent = no_rank;
  std::uint32_t batch = 0;  ///< the number of the spawn
  std::uint32_t size = 1;   ///< processes in it
  std::shared_ptr<Catcher> catcher{};
  std::optional<SubscriptionRequest> subscription{};  ///< to what they print
};

}  // namespace earl::exec
