// SPDX-License-Identifier: BSD-3-Clause
/// One process's connection to all others of a job, over the link that it is given.
#pragma once

#include <memory>

#include "backends/net/engine.hpp"
#include "generic/seams/direct_transfer.hpp"
#include "generic/system/waiting.hpp"

namespace earl::net {

class LinkPort final : public Port, public DirectTransfer {
 public:
  LinkPort(std::unique_ptr<Link> link, Rank me, WaitPolicy const& policy,
           OnLoss on_loss = OnLoss::end);

  Limits limits() const override;
  std::string address() const override { return link_->address(); }
  void connect(Rank to, std::string_view address) override { link_->connect(to, address); }
  bool put(Rank to, Header const& header, Gather const& payload) override {
    return engine_.send(to, header, payload);
  }
  std::size_t poll(PacketSink& sink) override;
  void wait(Deadline deadline) override;
  void wake() override { link_->wake(); }
  int wait_fd() override { return link_->wait_fd(); }
  bool has_direct_transfer() const override { return link_->facts().bulk != 0; }
  Remote post_direct_receive(Envelope const& message, TransferId transfer,
                             Scatter const& to) override {
    return engine_.direct_receives().post_direct_receive(message, transfer, to);
  }
  void cancel_direct_receive(Rank, Remote const& target) override {
    engine_.direct_receives().cancel_direct_receive(target);
  }
  void start_direct_send(Rank to, Remote const& target, Bytes bytes) override;
  void finish_direct_send(Rank to, Remote const& target) override {
    link_->finish_direct_send(to, target.where);
  }
  bool ended(Rank rank) override { return link_->is_down(rank); }
  void leave() override;

 private:
  void wait_idly(Deadline deadline);
  void repair_if_silent();
  void wait_for_repairs();
  bool oversubscribed() { return !waiter_.policy().may_spin(link_->neighbours()); }
  void sleep(Deadline deadline);

  std::unique_ptr<Link> link_;
  Engine engine_;
  Waiter waiter_;
  std::uint32_t failed_waits_ = 0;  ///< that were not to take any time, since the last yield
  // --- where losses are repaired
  std::chrono::nanoseconds silence_;  ///< until the next question
  Deadline next_question_{};
};

}  // namespace earl::net
