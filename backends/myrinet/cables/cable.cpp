// SPDX-License-Identifier: BSD-3-Clause
#include "backends/myrinet/cables/cable.hpp"

#include <algorithm>
#include <array>

namespace earl::myrinet::cables {

std::string name_of(Memory const& memory, Rank node) {
  if (memory.has(node)) return fmt::format("process {}", number(node));
  return fmt::format("switch {}",
                     memory.box(static_cast<std::uint32_t>(index(node)) - memory.capacity()).name);
}

Cable::Cable(Network const& network, End here, Plug const& there)
    : network_(network),
      there_(there),
      peer_(node_of(there, network.memory.capacity())),
      most_there_(window_to(there.end)),
      most_here_(window_to(here)),
      room_(most_there_),
      granted_(most_here_) {}

/// False: it is not known yet where the other end is.
bool Cable::reachable() {
  auto& [memory, board, link] = network_;
  if (board.has_ended(peer_)) return false;
  if (link.knows(peer_)) [[likely]]
    return true;
  auto const address = board.address(peer_);
  if (address.empty()) return false;
  link.connect(peer_, address);
  return true;
}

bool Cable::send_word(Word const& word, Bytes packet) {
  std::array<Bytes, 2> const pieces{bytes_of(word), packet};
  return reachable() && network_.link.send(peer_, Gather{std::span<Bytes const>{pieces}});
}

/// The word that goes says nothing but that there is a connection.
bool Cable::connect() {
  const Word word{.kind = static_cast<std::uint32_t>(Kind::room), .port = there_.port};
  if (!connected_) connected_ = send_word(word, {});
  return connected_;
}

bool Cable::send(Kind kind, Bytes packet) {
  if (packet.size() > room_) return false;
  const Word word{.kind = static_cast<std::uint32_t>(kind), .port = there_.port};
  if (!send_word(word, packet)) return false;
  room_ -= packet.size();
  return true;
}

void Cable::add_room(std::size_t more) { room_ = std::min(room_ + more, most_there_); }

void Cable::report_consumed() {
  if (reply_ < most_here_ / 4) return;
  const Word word{.kind = static_cast<std::uint32_t>(Kind::room),
                  .port = there_.port,
                  .room = static_cast<std::uint32_t>(reply_)};
  if (!send_word(word, {})) return;
  granted_ += reply_;
  reply_ = 0;
}

}  // namespace earl::myrinet::cables
