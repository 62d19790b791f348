// SPDX-License-Identifier: BSD-3-Clause
/// The findings of `earl doctor`, line by line.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "exec/launcher/layout.hpp"
#include "exec/launcher/resources/host_resources.hpp"
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
  std::string advice{};  ///< the remedy; empty when good
};

/// The findings about this host: a function of `facts` only.
std::vector<Finding> judge_host(HostResources const& facts);

/// The finding about an optional module of Earl: its `use`, and why it is unusable (empty: it is
/// usable).
Finding judge_part(std::string const& what, std::string const& use, std::string const& missing,
                   std::string_view package);

/// The findings about the native libraries of `back_end`.
std::vector<Finding> judge_libraries(std::string_view back_end,
                                     std::vector<NativeLibrary> const& libraries);

/// The findings about this installation: its libraries and headers, the compilers behind earlcc and
/// earlfc, each back end (which is prepared and thrown away) and its libraries, the settings.
std::vector<Finding> judge_installation(Layout const& layout);

}  // namespace earl::exec
