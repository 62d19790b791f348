// SPDX-License-Identifier: BSD-3-Clause
/// A fabric of switches in the job's memory. No process runs them: the sender of a packet walks it
/// through the switches itself, and holds each port on its way until the packet's tail is through.
#pragma once

#include <atomic>
#include <deque>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "backends/myrinet/fault_injection.hpp"
#include "backends/myrinet/memory.hpp"
#include "backends/myrinet/routes.hpp"
#include "backends/net/link.hpp"
#include "generic/base/rank_table.hpp"
#include "generic/system/board_notices.hpp"

namespace earl::myrinet {

class FabricLink final : public net::Link {
 public:
  /// Throws Error when the job has no place for `me`.
  FabricLink(std::shared_ptr<Memory> memory, Rank me, FaultInjection const& fault);

  net::LinkFacts facts() const override { return {.frame = largest_frame}; }
  bool send(Rank to, Gather const& frame) override;
  std::size_t progress(net::FrameSink& sink, std::size_t most) override;
  bool is_down(Rank peer) override;
  void report_down(Rank peer) override { observe_death(peer); }
  bool ready() override;
  std::uint32_t neighbours() override {
    return memory_->head().processes.load(std::memory_order_relaxed);
  }
  AwakeEntry awake_entry() override { return {memory_->head().awake, row_.awake_on}; }
  bool woke_another() override { return std::exchange(woke_another_, false); }
  void sleep(Deadline deadline) override;
  Deadline last_ring() override { return last_ring_; }
  void wake() override;
  std::string route_description(Rank to) const override { return memory_->cable_text(me_, to); }

 private:
  struct Peer {
    Rank rank = no_rank;
    Peer* next = nullptr;  ///< in the table
    std::optional<Route> route{};
    bool full = false;         ///< in full_: a send() found no room
    bool end_noticed = false;  ///< it has ended, and waits in dying_
  };
  /// One packet on its way. The sum is that of all bytes that are left.
  struct Packet {
    Route route{};
    Rank to{};
    Gather const& frame;
    std::uint32_t sum = 0;
    std::size_t behind = 0;  ///< bytes after the route
  };
  enum class Outcome { there, lost, no_room, port_held };
  class Held;

  Peer& peer(Rank rank);
  Route const& route_to(Rank rank);
  Outcome walk(Packet packet);
  Outcome deliver(HostRow& host, std::byte* queue, Packet const& packet);
  Outcome walk_with_fault(Packet packet);
  bool came_to_nothing(Outcome outcome, Rank to);

  bool take(net::FrameSink& sink);
  void refuse(net::FrameSink& sink, ArrivalRow const& arrival, std::uint8_t sum);
  void publish();
  bool was_for_another(ArrivalRow const& arrival) const;
  void note_sender(Rank source);
  void observe_deaths();
  void observe_death(Rank rank);
  std::size_t report_ends(net::FrameSink& sink);
  bool peer_has_room();

  std::shared_ptr<Memory> memory_;
  Rank const me_;
  HostRow& row_;
  std::byte* const queue_;
  FaultInjection const fault_;
  std::optional<Topology> topology_{};
  std::unique_ptr<Routes> routes_{};
  RankTable<Peer, &Peer::rank> peers_;
  std::vector<Rank> full_;
  struct Dying {
    Rank rank{};
    std::uint64_t last = 0;  ///< where all it sent has been taken
  };
  std::deque<Dying> dying_;
  std::uint64_t consumed_;
  std::uint64_t sent_ = 0;  ///< packets
  BoardNotices notices_;
  std::uint32_t sleep_ = 0;  ///< number of the last one
  Deadline last_ring_{};
  bool woke_another_ = false;  ///< since that was asked
  bool blocked_ = false;       ///< a port was held when a packet came to it
  std::atomic<bool> woken_ = false;
  Fences fences_;
};

}  // namespace earl::myrinet
