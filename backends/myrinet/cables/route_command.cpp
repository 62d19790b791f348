// SPDX-License-Identifier: BSD-3-Clause
/// earl-myriroute -o FILE TOPOLOGY|running:NAME HOST...: the routes between hosts of a network, in
/// BIP's file format. biproute runs it for a network that is given as a description. Where switches
/// are processes (EARL_MYRINET_LINK=cables) it starts them, and then knows only the part of the
/// network that scouts find, which the first host sends.
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <span>

#include "backends/myrinet/cables/mapper.hpp"
#include "backends/myrinet/routes.hpp"
#include "generic/base/error.hpp"

namespace earl::myrinet {
namespace {

constexpr int usage_error = 2;
constexpr std::string_view running = "running:";
/// In BIP's files: the two are the same, or cabled to one another.
constexpr int no_switch = 256;

std::uint32_t find_host(Topology const& topology, std::string_view name, std::string_view file) {
  auto const found = std::find_if(topology.hosts.begin(), topology.hosts.end(),
                                  [&](HostBox const& host) { return host.name == name; });
  if (found == topology.hosts.end()) throw Error("{} names no host {}", file, name);
  return static_cast<std::uint32_t>(found - topology.hosts.begin());
}

std::string line_for(Route const& route) {
  std::string line;
  for (auto const byte : route.bytes())
    line += fmt::format("{}{}", line.empty() ? "" : " ", static_cast<int>(byte));
  return line;
}

std::string text_of(Topology const& topology, std::vector<std::uint32_t> const& hosts) {
  Routes routes{topology};
  auto text = fmt::format("# routes that go up and then down, so that none block in a circle\n{}\n",
                          hosts.size());
  for (auto const from : hosts) {
    text += fmt::format("{} {}\n", topology.hosts[from].name, topology.hosts[from].unit);
    for (auto const to : hosts)
      text += from == to ? fmt::format("{}\n", no_switch) : line_for(routes.find(from, to)) + "\n";
  }
  return text;
}

void write(std::string const& file, std::string const& text) {
  std::error_code wrong;
  auto const folder = std::filesystem::path(file).parent_path();
  if (!folder.empty()) std::filesystem::create_directories(folder, wrong);
  std::ofstream stream(file);
  stream << text;
  stream.close();
  if (!stream) throw Error("{} cannot be written: {}", file, system_message(errno));
}

/// The network as scouts of the host called `name` find it.
Topology explored(cables::RunningNetwork& network, std::string_view name, std::string_view source) {
  auto const described = network.memory().topology();
  auto const host = find_host(described, name, source);
  cables::Mapper mapper{network, host};
  auto const& first = described.hosts[host];
  return explore(mapper, fmt::format("{} {}", first.name, first.unit));
}

/// The switches that are started for it: those of a topology.
Topology explored_file(std::string const& file, std::string_view name) {
  auto const topology = read_topology(file);
  auto const network =
      cables::start_network(static_cast<std::uint32_t>(topology.hosts.size()),
                            {.topology = topology}, cables::switch_program(EARL_LIBRARIES));
  return explored(*network, name, file);
}

bool by_scouts() {
  char const* const link = std::getenv("EARL_MYRINET_LINK");
  return link && std::string_view{link} == "cables";
}

void route(std::span<char* const> arguments) {
  if (arguments.size() < 4 || std::string_view{arguments[0]} != "-o")
    throw Error("usage: earl-myriroute -o FILE TOPOLOGY|running:NAME HOST...");
  std::string const file = arguments[2];
  std::string const first = arguments[3];
  auto topology = Topology{};
  auto source = file;
  if (file.starts_with(running)) {
    auto const network = cables::take_network(file.substr(running.size()), {});
    topology = explored(*network, first, file.substr(running.size()));
    source = fmt::format("the map that the scouts of host {} made", first);
  } else if (by_scouts()) {
    topology = explored_file(file, first);
    source = fmt::format("the map that the scouts of host {} made", first);
  } else {
    topology = read_topology(file);
  }
  std::vector<std::uint32_t> hosts;
  for (auto const* name : arguments.subspan(3)) hosts.push_back(find_host(topology, name, source));
  write(arguments[1], text_of(topology, hosts));
}

}  // namespace
}  // namespace earl::myrinet

int main(int argc, char** argv) {
  try {
    earl::myrinet::route(std::span{argv, static_cast<std::size_t>(argc)}.subspan(1));
    return 0;
  } catch (earl::Error const& error) {
    std::fprintf(stderr, "biproute: %s\n", error.what());
    return earl::myrinet::usage_error;
  }
}
