// SPDX-License-Identifier: BSD-3-Clause
/// A network as it is cabled: switches, hosts, and their cables.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace earl::myrinet {

/// The other end of a cable.
enum class End : std::uint32_t { nothing, a_switch, a_host };

/// One end of a cable: a port of a switch, or the only one of a host.
struct Plug {
  End end = End::nothing;
  std::uint32_t number = 0;  ///< of the switch or the host
  std::uint32_t port = 0;

  bool operator==(Plug const&) const = default;
};

struct SwitchBox {
  std::string name{};
  std::vector<Plug> ports{};  ///< the other end of each port's cable
};

struct HostBox {
  std::string name{};
  int unit = 0;  ///< of its boards
  Plug cabled_to{};
};

struct Topology {
  std::vector<SwitchBox> switches{};
  std::vector<HostBox> hosts{};  ///< by Rank

  Plug& at(Plug const& plug);
  Plug const& at(Plug const& plug) const { return const_cast<Topology&>(*this).at(plug); }
  void cable(Plug const& a, Plug const& b);
  /// "switch leaf, port 3", "host a".
  std::string text_for(Plug const& plug) const;
};

/// Reads the text of a file called `name`:
///
///     switch NAME PORTS
///     cable SWITCH:PORT SWITCH:PORT
///     host NAME [UNIT] SWITCH:PORT
///
/// Throws Error with the line that is wrong.
Topology parse_topology(std::string_view text, std::string_view name);
/// Likewise, from the file. Throws Error when it cannot be read.
Topology read_topology(std::string const& file);

/// A network for so many hosts with at most four switches between any two, where the first ones
/// share a switch. Throws Error when there are more than it can have.
Topology usual_topology(std::uint32_t hosts);

}  // namespace earl::myrinet
