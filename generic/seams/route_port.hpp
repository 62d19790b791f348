// SPDX-License-Identifier: BSD-3-Clause
/// Two back ends as one: the processes of this host are reached by one, all others by the other.
#pragma once

#include <atomic>
#include <memory>
#include <thread>

#include "generic/base/id_table.hpp"
#include "generic/seams/direct_transfer.hpp"
#include "generic/system/descriptor.hpp"

namespace earl {

/// Waits where `here` waits; a thread of its own wakes it when a packet comes from `away`. Packets
/// between processes of one host cost no more than without it.
class RoutePort final : public Port, public DirectTransfer {
 public:
  /// `away` has a wait_fd(). Throws Error when the system has no thread or descriptor more.
  RoutePort(std::unique_ptr<Port> here, std::unique_ptr<Port> away, IdTable table, Rank me);
  ~RoutePort() override;

  Limits limits() const override;
  bool put(Rank to, Header const& header, Gather const& payload) override;
  std::size_t poll(PacketSink& sink) override;
  void wait(Deadline deadline) override;
  void wake() override { here_->wake(); }
  bool has_direct_transfer() const override { return here_transfer_ || away_transfer_; }
  Remote post_direct_receive(Envelope const& message, TransferId transfer,
                             Scatter const& to) override;
  void cancel_direct_receive(Rank from, Remote const& target) override;
  void start_direct_send(Rank to, Remote const& target, Bytes bytes) override;
  void finish_direct_send(Rank to, Remote const& target) override;
  std::shared_ptr<std::byte> common_memory(std::uint64_t key, std::size_t size) override {
    return here_->common_memory(key, size);
  }
  void leave() override;
  bool ended(Rank rank) override;

 private:
  /// Null: its host is not known yet.
  Port* port_for(Rank rank) const;
  /// Null: not that way.
  DirectTransfer* direct_transfer_to(Rank rank) const;
  void look_out(int operation);
  void watch();

  std::unique_ptr<Port> here_;
  std::unique_ptr<Port> away_;
  DirectTransfer* const here_transfer_ = direct_transfer_of(here_.get());
  DirectTransfer* const away_transfer_ = direct_transfer_of(away_.get());
  IdTable table_;
  std::uint32_t host_;
  Descriptor epoll_;
  Descriptor stop_;
  std::atomic<bool> fired_ = false;  ///< something is there from `away_`; the watcher is idle now
  bool no_room_ = false;             ///< for the last packet that was to leave this host
  std::thread watcher_;
};

}  // namespace earl
