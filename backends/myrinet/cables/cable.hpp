// SPDX-License-Identifier: BSD-3-Clause
/// A cable whose ends are processes: packets in pieces, with flow control. Each has a window of its
/// own, so that a full one stops no other over the same connection.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "backends/myrinet/memory.hpp"
#include "backends/net/tcp/board.hpp"
#include "backends/net/tcp/link.hpp"

namespace earl::myrinet::cables {

enum class Kind : std::uint32_t {
  piece,
  tail,  ///< the last piece of a packet
  room,  ///< for so many bytes more
};

/// In front of every frame.
struct Word {
  std::uint32_t kind = 0;
  std::uint32_t port = 0;  ///< where it is to come in; 0 at a host
  std::uint32_t room = 0;
};

/// Bytes that may be under way to such an end: to a switch, or to the interface of a host, which
/// keeps them until its process takes them.
constexpr std::size_t window_to(End end) { return end == End::a_host ? queue_bytes : 32 * 1024; }

/// Numbers of the nodes of a network: processes by rank, then the switches.
constexpr Rank node_of(Plug const& plug, std::uint32_t capacity) {
  return Rank{static_cast<std::int32_t>(plug.number + (plug.end == End::a_switch ? capacity : 0))};
}

/// "switch left", "process 3".
std::string name_of(Memory const& memory, Rank node);

/// The ends of a job's cables, and their addresses.
struct Network {
  Memory& memory;
  tcp::Board& board;
  tcp::TcpLink& link;
};

/// One end of a cable.
class Cable {
 public:
  /// From `here` to the other end of its cable.
  Cable(Network const& network, End here, Plug const& there);

  Rank peer() const { return peer_; }
  End leads_to() const { return there_.end; }
  /// Bytes that the other end has room for.
  std::size_t room() const { return room_; }
  /// Makes the connection before a packet needs it: until there is one, packets are blocked, and a
  /// switch drops them. False: not yet; call it again.
  bool connect();
  /// False: the connection has no room, or the other end is not there yet.
  [[nodiscard]] bool send(Kind kind, Bytes packet);
  /// The other end has room for more. A number that cannot be is ignored.
  void add_room(std::size_t more);
  /// At most so many bytes may have arrived.
  std::size_t granted() const { return granted_; }
  void came(std::size_t size) { granted_ -= size; }
  /// Room is free again here; reported now or later.
  void took(std::size_t size) { reply_ = std::min(reply_ + size, most_here_ - granted_); }
  /// Reports the consumed bytes, if they are many.
  void report_consumed();

 private:
  bool reachable();
  bool send_word(Word const& word, Bytes packet);

  Network const network_;
  Plug const there_;
  Rank const peer_;
  std::size_t const most_there_;
  std::size_t const most_here_;
  std::size_t room_;
  std::size_t granted_;
  std::size_t reply_ = 0;
  bool connected_ = false;
};

}  // namespace earl::myrinet::cables
