// SPDX-License-Identifier: BSD-3-Clause
#include "tests/backends/packet_log.hpp"

#include <cstdint>

namespace earl::test {

void PacketLog::packet(Header const& header, Bytes payload) {
  says.push_back(std::to_string(header.source) + " " + std::to_string(header.tag) + " " +
                 std::to_string(payload.size()));
}

void PacketLog::moved(Rank from, TransferId transfer, bool ok) {
  says.push_back((ok ? "moved " : "lost ") + std::to_string(number(from)) + " " +
                 std::to_string(static_cast<std::uint64_t>(transfer)));
}

void PacketLog::gone(Rank rank) { says.push_back("gone " + std::to_string(number(rank))); }

void PacketLog::on_control_ready() { says.emplace_back("control"); }

Header eager(int source, int tag) {
  return header_of(Kind::eager, {.source = Rank{source}, .tag = Tag{tag}});
}

Words polled(Port& port) {
  PacketLog received;
  while (port.poll(received) != 0) {
  }
  return received.says;
}

}  // namespace earl::test
