// SPDX-License-Identifier: BSD-3-Clause
#include "backends/myrinet/explore.hpp"

#include <algorithm>

#include "backends/myrinet/route.hpp"
#include "generic/base/error.hpp"
#include "generic/base/number.hpp"

namespace earl::myrinet {

namespace {

/// A byte that sends a packet back by the port that it came in by.
constexpr std::uint8_t turn_round = route_byte(0, 0);

Way operator+(Way way, std::uint8_t byte) {
  way.push_back(byte);
  return way;
}

Way operator+(Way way, Way const& more) {
  way.insert(way.end(), more.begin(), more.end());
  return way;
}

/// The way back over the same cables. Only of differences.
Way reversed(Way const& way) {
  Way back;
  for (auto byte = way.rbegin(); byte != way.rend(); ++byte)
    back.push_back(route_byte(port_out(0, *byte), 0));
  return back;
}

class Explorer {
 public:
  Explorer(Scouts& scouts, std::string const& me) : scouts_(scouts), me_(me) {}

  Topology explore() {
    all_.hosts.push_back(host_called(me_));
    auto const port = entry({});
    if (!port) throw Error("no switch is at the other end of the cable of host {}", me_);
    add_switch({}, *port, {End::a_host, 0, 0});
    for (std::uint32_t box = 0; box < found_.size(); ++box) look_around(box);
    for (auto& box : all_.switches)
      while (box.ports.back().end == End::nothing) box.ports.pop_back();
    return std::move(all_);
  }

 private:
  struct Found {
    Way way{};           ///< to it; its own byte is not among these
    unsigned entry = 0;  ///< the port that this comes in by
  };

  /// The port by which `way` comes into a switch; none: it does not. Only a packet that leaves by
  /// that port is on the cables that it came by.
  std::optional<unsigned> entry(Way const& way) {
    std::vector<ScoutProbe> probes;
    for (unsigned port = 0; port < most_ports; ++port)
      probes.push_back({.way = way + static_cast<std::uint8_t>(port) + reversed(way)});
    auto const replies = scouts_.send(probes);
    for (unsigned port = 0; port < most_ports; ++port)
      if (replies[port].came_back) return port;
    return {};
  }

  /// The switch, of those known, that `way` comes to: a packet that leaves it by the port of the
  /// known way finds the way back.
  std::optional<std::uint32_t> same_as(Way const& way) {
    std::vector<ScoutProbe> probes;
    for (auto const& known : found_)
      probes.push_back({.way = way + static_cast<std::uint8_t>(known.entry) + reversed(known.way)});
    auto const replies = scouts_.send(probes);
    for (std::uint32_t box = 0; box < found_.size(); ++box)
      if (replies[box].came_back) return box;
    return {};
  }

  void add_switch(Way const& way, unsigned entry, Plug const& before) {
    auto const number = static_cast<std::uint32_t>(found_.size());
    found_.push_back({.way = way, .entry = entry});
    all_.switches.push_back({fmt::format("{}", number), std::vector<Plug>(most_ports)});
    all_.cable({End::a_switch, number, entry}, before);
  }

  void look_around(std::uint32_t box) {
    auto const ports = unknown_ports(box);
    auto const hosts = ask(
        box, ports, [](Way const& way) { return ScoutProbe{.way = way, .back = reversed(way)}; });
    auto const switches = ask(box, ports, [](Way const& way) {
      return ScoutProbe{.way = way + turn_round + reversed(way)};
    });
    for (std::size_t i = 0; i < ports.size(); ++i) {
      Plug const here{End::a_switch, box, ports[i]};
      if (all_.at(here).end != End::nothing) continue;  // the other end of a cable that began here
      if (!hosts[i].host.empty())
        add_host(hosts[i].host, here);
      else if (switches[i].came_back)
        follow_cable(here);
    }
  }

  std::vector<unsigned> unknown_ports(std::uint32_t box) const {
    std::vector<unsigned> ports;
    for (unsigned port = 0; port < most_ports; ++port)
      if (all_.switches[box].ports[port].end == End::nothing) ports.push_back(port);
    return ports;
  }

  template <class Make>
  std::vector<ScoutReply> ask(std::uint32_t box, std::vector<unsigned> const& ports,
                              Make const& make) {
    std::vector<ScoutProbe> probes;
    probes.reserve(ports.size());
    for (auto const port : ports) probes.push_back(make(way_out(box, port)));
    return scouts_.send(probes);
  }

  Way way_out(std::uint32_t box, unsigned port) const {
    return found_[box].way + route_byte(found_[box].entry, port);
  }

  void add_host(std::string const& name, Plug const& at) {
    auto const number = static_cast<std::uint32_t>(all_.hosts.size());
    all_.hosts.push_back(host_called(name));
    all_.cable({End::a_host, number, 0}, at);
  }

  void follow_cable(Plug const& from) {
    auto const way = way_out(from.number, from.port);
    auto const port = entry(way);
    if (!port)
      throw Error("behind {} a switch answers, and then none does: the network changes",
                  all_.text_for(from));
    if (auto const known = same_as(way))
      all_.cable(from, {End::a_switch, *known, *port});
    else
      add_switch(way, *port, from);
  }

  /// "NAME", or "NAME BOARD".
  static HostBox host_called(std::string const& name) {
    auto const blank = name.find(' ');
    HostBox host{.name = name.substr(0, blank)};
    if (blank != name.npos)
      host.unit = number_from<int>(std::string_view{name}.substr(blank + 1)).value_or(0);
    return host;
  }

  Scouts& scouts_;
  std::string const& me_;
  Topology all_{};
  std::vector<Found> found_{};  ///< by number of switch
};

}  // namespace

Topology explore(Scouts& scouts, std::string const& me) { return Explorer{scouts, me}.explore(); }

}  // namespace earl::myrinet
