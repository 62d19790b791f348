// SPDX-License-Identifier: BSD-3-Clause
/// The configuration file of a BIP application (manual, 5): its nodes in order, and the routes
/// between them.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace earl::bip {

/// The cables as a route: the two are cabled to one another, or the same.
inline constexpr int no_switch = 256;

struct ConfiguredNode {
  std::string host{};
  int unit = 0;                            ///< of its Myrinet boards
  std::vector<std::vector<int>> routes{};  ///< to each node: 1 to 4 bytes, or no_switch
};

struct Configuration {
  std::vector<ConfiguredNode> nodes{};
};

/// Reads the text of a file called `name`. Throws Error with the line that is wrong.
Configuration parse_configuration(std::string_view text, std::string_view name);
/// Likewise, from the file. Throws Error when it cannot be read.
Configuration read_configuration(std::string const& file);

/// The nodes on one switch, each at the port of its number.
Configuration on_one_switch(std::vector<std::string> const& hosts);
std::string text_of(Configuration const& configuration);

/// The index, among the first `nodes`, of the host called `host`, by its full name, else by the
/// part before the first dot. Throws Error when none is, or several.
int node_of_host(Configuration const& configuration, int nodes, std::string_view host,
                 std::string_view name);

}  // namespace earl::bip
