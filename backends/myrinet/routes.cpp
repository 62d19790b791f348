// SPDX-License-Identifier: BSD-3-Clause
#include "backends/myrinet/routes.hpp"

#include <tuple>

#include "generic/base/error.hpp"

namespace earl::myrinet {

namespace {

constexpr std::uint32_t may_go_up = 0;
constexpr std::uint32_t has_gone_down = 1;

std::uint32_t step_of(std::uint32_t box, std::uint32_t phase) { return box * 2 + phase; }
std::uint32_t box_of(std::uint32_t step) { return step / 2; }

}  // namespace

Routes::Routes(Topology const& topology)
    : topology_(topology), levels_(topology.switches.size(), none) {
  // Each part of a network that hangs together has a first switch of its own.
  for (std::uint32_t first = 0; first < levels_.size(); ++first) {
    if (levels_[first] != none) continue;
    levels_[first] = 0;
    std::vector<std::uint32_t> reached{first};
    for (std::size_t i = 0; i < reached.size(); ++i)
      for (auto const& plug : topology.switches[reached[i]].ports) {
        if (plug.end != End::a_switch || levels_[plug.number] != none) continue;
        levels_[plug.number] = levels_[reached[i]] + 1;
        reached.push_back(plug.number);
      }
  }
}

/// A total order of switches, so that no circle of cables goes up all the way.
bool Routes::goes_up(std::uint32_t from, std::uint32_t to) const {
  return std::tie(levels_[to], to) < std::tie(levels_[from], from);
}

void Routes::search(std::uint32_t from) {
  if (searched_ == from) return;
  searched_ = from;
  steps_.assign(topology_.switches.size() * 2, {});
  Plug const& first = topology_.hosts[from].cabled_to;
  std::vector<std::uint32_t> reached{step_of(first.number, may_go_up)};
  steps_[reached[0]] = {.known = true, .before = none, .in = first.port};
  for (std::size_t i = 0; i < reached.size(); ++i) extend(reached, reached[i]);
}

void Routes::extend(std::vector<std::uint32_t>& reached, std::uint32_t step) {
  auto const box = box_of(step);
  auto const& ports = topology_.switches[box].ports;
  for (std::uint32_t out = 0; out < ports.size(); ++out) {
    auto const& [end, next, in] = ports[out];
    if (end != End::a_switch) continue;
    bool const up = goes_up(box, next);
    if (up && step % 2 == has_gone_down) continue;
    auto const then = step_of(next, up ? may_go_up : has_gone_down);
    if (steps_[then].known) continue;
    steps_[then] = {.known = true, .before = step, .in = in, .out = out};
    reached.push_back(then);
  }
}

Route Routes::find(std::uint32_t from, std::uint32_t to) {
  auto const name = [&](std::uint32_t host) { return topology_.text_for({End::a_host, host, 0}); };
  search(from);
  Plug const& last = topology_.hosts[to].cabled_to;
  std::size_t best = 0;
  Route found;
  for (auto const phase : {may_go_up, has_gone_down}) {
    auto const step = step_of(last.number, phase);
    if (!steps_[step].known) continue;
    std::size_t length = 0;
    for (auto at = step; at != none; at = steps_[at].before) ++length;
    if (best != 0 && length >= best) continue;
    best = length;
    if (best <= most_switches_on_the_way) found = read_back(step, last.port);
  }
  if (best == 0)
    throw Error("no route from {} to {}: no cables join them; add cables to the topology",
                name(from), name(to));
  if (best > most_switches_on_the_way)
    throw Error("{} switches are between {} and {}: Myrinet's routes have at most {}", best,
                name(from), name(to), most_switches_on_the_way);
  return found;
}

Route Routes::read_back(std::uint32_t last, std::uint32_t out) const {
  std::vector<std::uint8_t> bytes;
  for (auto at = last; at != none; at = steps_[at].before) {
    bytes.push_back(route_byte(steps_[at].in, out));
    out = steps_[at].out;
  }
  Route route;
  for (auto byte = bytes.rbegin(); byte != bytes.rend(); ++byte) route.append(*byte);
  return route;
}

std::uint32_t follow(Topology const& topology, std::uint32_t from, Route const& route) {
  Plug at = topology.hosts.at(from).cabled_to;
  for (auto const byte : route.bytes()) {
    if (at.end != End::a_switch)
      throw Error(
          "a route of {} is too long: it has reached {} and bytes are left; correct the routes",
          topology.text_for({End::a_host, from, 0}), topology.text_for(at));
    auto const& box = topology.switches[at.number];
    auto const out = port_out(at.port, byte);
    if (out >= box.ports.size() || box.ports[out].end == End::nothing)
      throw Error(
          "a route of {} leads to switch {}, port {}, which has no cable; correct the routes",
          topology.text_for({End::a_host, from, 0}), box.name, static_cast<int>(out));
    at = box.ports[out];
  }
  if (at.end != End::a_host)
    throw Error("a route of {} is too short: it ends at {}; correct the routes",
                topology.text_for({End::a_host, from, 0}), topology.text_for(at));
  return at.number;
}

}  // namespace earl::myrinet
