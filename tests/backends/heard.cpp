#include "tests/backends/heard.hpp"

#include <cstdint>

namespace earl::test {

void Heard::packet(Header const& header, Bytes payload) {
  says.push_back(std::to_string(header.source) + " " + std::to_string(header.tag) + " " +
                 std::to_string(payload.size()));
}

void Heard::moved(Rank from, TransferId transfer, bool ok) {
  says.push_back((ok ? "moved " : "lost ") + std::to_string(number(from)) + " " +
                 std::to_string(static_cast<std::uint64_t>(transfer)));
}

void Heard::gone(Rank rank) { says.push_back("gone " + std::to_string(number(rank))); }

void Heard::on_control_ready() { says.emplace_back("knock"); }

Header eager(int source, int tag) {
  return header_of(Kind::eager, {.source = Rank{source}, .tag = Tag{tag}});
}

Words polled(Port& port) {
  Heard heard;
  while (port.poll(heard) != 0) {
  }
  return heard.says;
}

}  // namespace earl::test
