// SPDX-License-Identifier: BSD-3-Clause
/// The cabling of a network, explored from one of its hosts by scouts alone.
#pragma once

#include <string>
#include <vector>

#include "backends/myrinet/scout.hpp"
#include "backends/myrinet/topology.hpp"

namespace earl::myrinet {

/// Where scouts are to go.
struct ScoutProbe {
  Way way{};
  Way back{};  ///< for the host at the end of it; empty: no answer is wanted
};

/// The replies to one scout.
struct ScoutReply {
  bool came_back = false;
  std::string host{};  ///< the host that answered: its name and its board; empty: none
};

/// A host's connection to the network, as far as scouts need it.
class Scouts {
 public:
  /// The replies to each, in the same order, when no more will arrive.
  virtual std::vector<ScoutReply> send(std::vector<ScoutProbe> const& probes) = 0;

 protected:
  ~Scouts() = default;
};

/// All switches and hosts that cables join with the host called `me`, which is the first of the
/// hosts. Switches are called by the order in which they were found; how many ports they have is
/// not seen, but for those where something is. Throws Error when nothing is there.
Topology explore(Scouts& scouts, std::string const& me);

}  // namespace earl::myrinet
