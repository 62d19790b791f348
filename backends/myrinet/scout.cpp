// SPDX-License-Identifier: BSD-3-Clause
#include "backends/myrinet/scout.hpp"

#include <algorithm>

namespace earl::myrinet {

namespace {

/// The place of the sender's rank in other packets: no process's rank.
constexpr std::int32_t mark = -1;

struct Head {
  std::int32_t mark = myrinet::mark;
  std::uint32_t number = 0;
  std::uint16_t kind = 0;
  std::uint16_t size = 0;  ///< of the rest: a way, or a name
};

}  // namespace

std::vector<std::byte> packet_of(Scout const& scout) {
  bool const asks = scout.kind == Scout::Kind::question;
  auto const rest =
      asks ? std::as_bytes(std::span{scout.back}) : std::as_bytes(std::span{scout.name});
  const Head head{.number = scout.number,
                  .kind = static_cast<std::uint16_t>(scout.kind),
                  .size = static_cast<std::uint16_t>(rest.size())};
  std::vector<std::byte> packet(sizeof head + rest.size());
  copy(bytes_of(head), MutableBytes{packet});
  std::copy(rest.begin(), rest.end(), packet.begin() + sizeof head);
  return packet;
}

bool is_scout(Bytes packet) {
  std::int32_t first = 0;
  if (packet.size() < sizeof first) return false;
  std::memcpy(&first, packet.data(), sizeof first);
  return first == mark;
}

std::optional<Scout> scout_in(Bytes packet) {
  Head head;
  if (packet.size() < sizeof head || !is_scout(packet)) return {};
  std::memcpy(&head, packet.data(), sizeof head);
  packet = packet.subspan(sizeof head);
  if (head.size != packet.size() || head.kind > static_cast<std::uint16_t>(Scout::Kind::answer))
    return {};
  Scout scout{.kind = static_cast<Scout::Kind>(head.kind), .number = head.number};
  for (auto const byte : packet) {
    auto const value = std::to_integer<std::uint8_t>(byte);
    if (scout.kind == Scout::Kind::question)
      scout.back.push_back(value);
    else
      scout.name.push_back(static_cast<char>(value));
  }
  return scout;
}

}  // namespace earl::myrinet
