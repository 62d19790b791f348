// SPDX-License-Identifier: BSD-3-Clause
#include "backends/myrinet/topology.hpp"

#include <algorithm>

#include "backends/myrinet/route.hpp"
#include "generic/base/error.hpp"

namespace earl::myrinet {

namespace {

/// Leaves with hosts hang on spines, and all spines are cabled to one another.
struct Shape {
  unsigned ports = 0;   ///< of each switch
  unsigned spines = 0;  ///< 0: one switch is all there is

  unsigned per_leaf() const { return ports - 1; }
  unsigned leaves_per_spine() const { return ports + 1 - spines; }
  std::uint32_t hosts() const {
    return spines == 0 ? ports : spines * leaves_per_spine() * per_leaf();
  }
};

constexpr Shape largest{.ports = most_ports, .spines = most_ports / 2};

Shape shape_for(std::uint32_t hosts) {
  if (hosts <= 8) return {.ports = 8};
  for (unsigned const ports : {16U, most_ports})
    for (unsigned spines = 0; spines <= ports / 2; ++spines)
      if (Shape const shape{ports, spines}; shape.hosts() >= hosts) return shape;
  throw Error("a network with at most four switches between two processes has room for {}, not {}",
              largest.hosts(), hosts);
}

std::uint32_t add_switch(Topology& all, std::string name, unsigned ports) {
  all.switches.push_back({.name = std::move(name), .ports = std::vector<Plug>(ports)});
  return static_cast<std::uint32_t>(all.switches.size() - 1);
}

void add_host(Topology& all, std::uint32_t box, unsigned port) {
  auto const number = static_cast<std::uint32_t>(all.hosts.size());
  all.hosts.push_back({.name = fmt::format("{}", number)});
  all.cable({End::a_host, number, 0}, {End::a_switch, box, port});
}

void cable_spines(Topology& all, Shape const& shape) {
  for (unsigned a = 0; a < shape.spines; ++a)
    for (unsigned b = a + 1; b < shape.spines; ++b)
      all.cable({End::a_switch, a, shape.leaves_per_spine() + b - 1},
                {End::a_switch, b, shape.leaves_per_spine() + a});
}

}  // namespace

Plug& Topology::at(Plug const& plug) {
  return plug.end == End::a_host ? hosts.at(plug.number).cabled_to
                                 : switches.at(plug.number).ports.at(plug.port);
}

void Topology::cable(Plug const& a, Plug const& b) {
  at(a) = b;
  at(b) = a;
}

std::string Topology::text_for(Plug const& plug) const {
  switch (plug.end) {
    case End::a_switch:
      return fmt::format("switch {}, port {}", switches.at(plug.number).name, plug.port);
    case End::a_host:
      return fmt::format("host {}", hosts.at(plug.number).name);
    case End::nothing:
      break;
  }
  return "nothing";
}

Topology usual_topology(std::uint32_t hosts) {
  Shape const shape = shape_for(hosts);
  Topology all;
  if (shape.spines == 0) {
    auto const only = add_switch(all, "0", shape.ports);
    for (std::uint32_t host = 0; host < hosts; ++host) add_host(all, only, host);
    return all;
  }
  for (unsigned spine = 0; spine < shape.spines; ++spine)
    add_switch(all, fmt::format("spine{}", spine), shape.ports);
  cable_spines(all, shape);
  for (std::uint32_t leaf = 0; all.hosts.size() < hosts; ++leaf) {
    auto const box = add_switch(all, fmt::format("{}", leaf), shape.ports);
    all.cable({End::a_switch, leaf % shape.spines, leaf / shape.spines},
              {End::a_switch, box, shape.ports - 1});
    for (unsigned port = 0; port < shape.per_leaf() && all.hosts.size() < hosts; ++port)
      add_host(all, box, port);
  }
  return all;
}

}  // namespace earl::myrinet
