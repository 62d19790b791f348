// SPDX-License-Identifier: BSD-3-Clause
/// A process's cable to its switch, where switches are processes.
#pragma once

#include <atomic>
#include <memory>
#include <optional>
#include <vector>

#include "backends/myrinet/cables/cable.hpp"
#include "backends/myrinet/fault_injection.hpp"
#include "backends/myrinet/routes.hpp"

namespace earl::myrinet::cables {

/// EXEC's descriptors and arguments for a process of such a job.
struct LinkResources {
  std::unique_ptr<Memory> memory;  ///< the network, and the switches' counters
  std::unique_ptr<tcp::Board> board;
  Bell bell;
  Descriptor listener;
};

class CableLink final : public net::Link, private net::FrameSink {
 public:
  /// Throws Error when the job has no place for `me`.
  CableLink(LinkResources resources, Rank me, FaultInjection const& fault);

  /// Blocks until the cable is connected both ways, or until the deadline: a process that makes no
  /// further call gets packets all the same.
  void connect_cable(Deadline deadline);

  net::LinkFacts facts() const override {
    return {.frame = largest_frame, .leaves_together = true};
  }
  bool send(Rank to, Gather const& frame) override;
  std::size_t progress(net::FrameSink& sink, std::size_t most) override;
  bool is_down(Rank peer) override { return board_->has(peer) && board_->has_ended(peer); }
  std::uint32_t neighbours() override;
  bool ready() override;
  void sleep(Deadline deadline) override;
  void wake() override { link_.wake(); }
  int wait_fd() override { return link_.wait_fd(); }
  std::string route_description(Rank to) const override { return memory_->cable_text(me_, to); }
  void close(Deadline deadline) override { link_.close(deadline); }

 private:
  Route const& route_to(Rank to);
  void inject_fault(std::vector<std::byte>& packet, std::size_t route) const;
  void frame(Rank from, Bytes frame) override;
  void down(Rank, std::string_view) override {}  // EXEC ends jobs whose switches end
  void on_control_ready() override {}            // the board says so
  void take(Bytes packet);
  std::size_t observe_deaths();

  std::unique_ptr<Memory> memory_;
  std::unique_ptr<tcp::Board> board_;
  Rank const me_;
  FaultInjection const fault_;
  Topology const topology_;
  Routes routes_;
  tcp::TcpLink link_;
  Cable cable_;
  std::vector<std::optional<Route>> known_;    ///< by rank
  std::vector<std::byte> packet_;              ///< that is being made
  std::vector<std::vector<std::byte>> early_;  ///< packets that came during connect_cable()
  net::FrameSink* sink_ = nullptr;             ///< during progress()
  std::size_t events_ = 0;                     ///< to it
  std::uint64_t sent_ = 0;                     ///< packets
  BoardNotices notices_;
  std::uint32_t rejected_connections_ = 0;  ///< reported
};

}  // namespace earl::myrinet::cables
