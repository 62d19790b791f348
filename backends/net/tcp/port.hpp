// SPDX-License-Identifier: BSD-3-Clause
/// One process's connections to all others of a job, over TCP.
#pragma once

#include <memory>
#include <vector>

#include "backends/net/tcp/board.hpp"
#include "backends/net/tcp/link.hpp"
#include "generic/seams/port.hpp"
#include "generic/system/waiting.hpp"

namespace earl::tcp {

class TcpPort final : public Port, private net::FrameSink {
 public:
  /// Throws Error when the job has no place for `me`.
  TcpPort(std::unique_ptr<Board> board, Bell bell, Descriptor listener, Rank me,
          WaitPolicy const& policy);

  Limits limits() const override;
  bool put(Rank to, Header const& header, Gather const& payload) override;
  std::size_t poll(PacketSink& sink) override;
  void wait(Deadline deadline) override;
  void wake() override { link_.wake(); }
  int wait_fd() override { return link_.wait_fd(); }
  bool ended(Rank rank) override { return board_->has(rank) && board_->has_ended(rank); }
  void leave() override;

  /// Packets put to processes that had ended.
  std::uint64_t lost() const { return lost_; }

 private:
  void frame(Rank from, Bytes frame) override;
  void down(Rank, std::string_view) override {}
  void on_control_ready() override {}  // the board says so

  bool find_way(Rank to);
  void drop_packet(Rank to);
  void observe_deaths();
  void observe_death(Rank rank);
  std::size_t mark_ended(PacketSink& sink, std::size_t known);
  void count_rejected_connections();
  bool has_notices() const;
  bool await(Deadline deadline);
  bool may_mark_ended() const;

  std::unique_ptr<Board> board_;
  Rank const me_;
  Waiter waiter_;
  TcpLink link_;
  PacketSink* sink_ = nullptr;  ///< during poll()
  std::vector<Rank> dying_{};   ///< ended, but not all they sent has been handed over
  BoardNotices notices_;
  std::uint32_t rejected_connections_ = 0;  ///< reported
  std::uint64_t lost_ = 0;
};

}  // namespace earl::tcp
