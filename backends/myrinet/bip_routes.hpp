// SPDX-License-Identifier: BSD-3-Clause
/// The routes that a configuration of BIP names (BIP's manual, 5), for a network that has them.
#pragma once

#include <string>

#include "backends/myrinet/route.hpp"
#include "backends/myrinet/topology.hpp"

namespace earl::myrinet {

/// A network whose hosts are the nodes of a configuration, in its order, and the routes between
/// them.
struct ConfiguredNetwork {
  Topology topology{};
  std::vector<Route> routes{};  ///< from the first host to all, from the second to all...
};

/// Reads the file. Throws Error when it cannot be read, names a host that the network lacks, or a
/// route that leads elsewhere.
ConfiguredNetwork configure(Topology const& topology, std::string const& file);

}  // namespace earl::myrinet
