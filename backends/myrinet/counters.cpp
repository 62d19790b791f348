// SPDX-License-Identifier: BSD-3-Clause
#include "backends/myrinet/counters.hpp"

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string_view>

#include "generic/base/error.hpp"

namespace earl::myrinet {

namespace {

constexpr auto line_format = "{:<24} {:<24} {:>10} {:>14} {:>8} {:>8} {:>8} {:>11}\n";

std::string line_for(PortRow const& port, std::string const& place, std::string const& there) {
  return fmt::format(line_format, place, there, port.packets.load(), port.bytes.load(),
                     port.drops.load(), port.sum_errors.load(), port.stops.load(),
                     fmt::format("{:.3f}", static_cast<double>(port.blocked.load()) / 1e6));
}

}  // namespace

std::string counters_of(Memory& memory) {
  auto const topology = memory.topology();
  auto text = fmt::format(line_format, "port", "cabled to", "packets", "bytes", "dropped", "CRC",
                          "stops", "blocked/ms");
  for (std::uint32_t box = 0; box < topology.switches.size(); ++box)
    for (std::uint32_t port = 0; port < topology.switches[box].ports.size(); ++port) {
      auto const& there = topology.switches[box].ports[port];
      auto const& row = memory.port(box, port);
      if (there.end == End::nothing && row.packets == 0 && row.drops == 0) continue;
      text +=
          line_for(row, topology.text_for({End::a_switch, box, port}), topology.text_for(there));
    }
  return text;
}

void report_counters(Memory& memory, std::uint32_t rejected_connections) {
  char const* const name = std::getenv("EARL_MYRINET_COUNTERS");
  if (!name || !*name) return;
  auto text = counters_of(memory);
  if (rejected_connections != 0)
    text += fmt::format("{} connections rejected\n", rejected_connections);
  if (std::string_view{name} == "-") {
    std::fputs(text.c_str(), stderr);
    return;
  }
  auto const close = [](std::FILE* file) { std::fclose(file); };
  std::unique_ptr<std::FILE, decltype(close)> const file(std::fopen(name, "we"), close);
  if (!file || std::fputs(text.c_str(), file.get()) < 0)
    std::fprintf(stderr, "earl: EARL_MYRINET_COUNTERS: %s cannot be written: %s\n", name,
                 system_message(errno).c_str());
}

}  // namespace earl::myrinet
