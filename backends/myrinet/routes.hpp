// SPDX-License-Identifier: BSD-3-Clause
/// Ways through a network that can never block each other in a circle: each goes up first, towards
/// the first switch, and then down, and never up again.
#pragma once

#include <vector>

#include "backends/myrinet/route.hpp"
#include "backends/myrinet/topology.hpp"

namespace earl::myrinet {

class Routes {
 public:
  explicit Routes(Topology const& topology);

  /// A shortest one; among several always the same. Throws Error when there is none, or none with
  /// at most four switches.
  Route find(std::uint32_t from, std::uint32_t to);

 private:
  /// The state of a search at a switch: its way may still go up, or has gone down.
  struct Step {
    bool known = false;
    std::uint32_t before = 0;  ///< the step that this one follows
    std::uint32_t in = 0;      ///< port that the way comes in by
    std::uint32_t out = 0;     ///< port of the switch before that it left by
  };
  static constexpr std::uint32_t none = ~std::uint32_t{0};

  bool goes_up(std::uint32_t from, std::uint32_t to) const;
  void search(std::uint32_t from);
  void extend(std::vector<std::uint32_t>& reached, std::uint32_t step);
  Route read_back(std::uint32_t last, std::uint32_t out) const;

  Topology const& topology_;
  std::vector<std::uint32_t> levels_;  ///< cables between each switch and the first
  std::vector<Step> steps_;            ///< of the last search: by switch, two each
  std::uint32_t searched_ = none;      ///< the host it began at
};

/// Where a packet with this route comes out. Throws Error, naming the place, when it does not get
/// to a host.
std::uint32_t follow(Topology const& topology, std::uint32_t from, Route const& route);

}  // namespace earl::myrinet
