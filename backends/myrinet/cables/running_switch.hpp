// SPDX-License-Identifier: BSD-3-Clause
/// A switch that is a process of its own: the switch itself (switch.hpp), cables to other
/// processes, and a clock.
#pragma once

#include <deque>
#include <memory>
#include <optional>
#include <vector>

#include "backends/myrinet/block_timeout.hpp"
#include "backends/myrinet/cables/cable.hpp"
#include "backends/myrinet/switch.hpp"

namespace earl::myrinet::cables {

class RunningSwitch final : private net::FrameSink {
 public:
  /// Number `number` of a job's switches, whose neighbours connect to `listener`. Its counters are
  /// in `memory`, readable by all.
  RunningSwitch(Memory& memory, tcp::Board& board, Descriptor listener, std::uint32_t number);

  /// Moves all bytes that can move, and drops packets that have been blocked for too long. False:
  /// there was nothing to do. Throws Error when a neighbour cannot be reached, or violates the
  /// protocol.
  bool turn();
  /// Until there is something to be moved or dropped, or the deadline.
  void sleep(Deadline deadline);

 private:
  struct Port {
    Cable cable;
    std::deque<Symbol> coming{};  ///< by the cable, and not in the switch yet
    std::vector<std::byte> going{};
    bool whole = false;         ///< the packet going out ends with a tail
    bool connecting = false;    ///< the other end is there and waits for a connection
    std::uint64_t answers = 0;  ///< of the host's interface
  };

  void frame(Rank from, Bytes frame) override;
  void down(Rank, std::string_view) override {}  // EXEC ends jobs whose switches end
  void on_control_ready() override {}

  void connect_cables();
  void take(Port& port, Kind kind, Bytes piece);
  bool move();
  bool feed(unsigned in);
  bool drain(unsigned out);
  bool is_full(Port const& port) const;
  void transmit(unsigned out);
  bool answer(Port& port);
  void drop_blocked();
  void remove_ended_peers();
  void discard(Port& port);
  void publish();
  void report_rejected_connections();

  Memory& memory_;
  tcp::Board& board_;
  std::uint32_t const number_;
  tcp::TcpLink link_;
  Switch box_;
  BlockTimeout timeout_;
  std::vector<std::unique_ptr<Port>> ports_;  ///< null: nothing is cabled there
  std::uint32_t deaths_ = 0;                  ///< observed
  std::uint32_t rejected_connections_ = 0;    ///< reported
  bool came_ = false;                         ///< a frame, since the last turn
};

}  // namespace earl::myrinet::cables
