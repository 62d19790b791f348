// SPDX-License-Identifier: BSD-3-Clause
/// A receive that a minimal recording leaves free, or one before the part of a record that is kept.
#pragma once

#include <algorithm>
#include <vector>

#include "debug/replay/recording.hpp"
#include "generic/message/match_spec.hpp"

namespace earl::replay {

/// Takes only messages that free receives got. The other messages that it could take block their
/// sources: what is behind them could not have come to it.
class FreeReceive final : public MatchGuard {
 public:
  explicit FreeReceive(Recording const& recording) : recording_(recording) {}
  /// A probe or try of a process that has come to `position`: what it finds may stay there.
  FreeReceive(Recording const& recording, trace::Position const& position)
      : recording_(recording), position_(&position) {}

  /// Lets `op` take such a message. It must not outlive this.
  void guard(ReceiveOp& op) {
    op.spec.pinned = true;
    op.spec.guard = this;
  }

  bool admits(Envelope const& envelope, MessageId const& id) override {
    if (std::ranges::count(blocked_, envelope.source) != 0) return false;
    // A message that was lost is dropped as soon as a receive has it.
    if (recording_.was_for_free_receive(id) || recording_.loss_of(id) != nullptr) return true;
    if (position_ && recording_.may_be_probed(id, *position_)) return true;
    blocked_.push_back(envelope.source);
    return false;
  }

  std::span<Rank const> sources() const override { return recording_.sources_of_free_receives(); }

 private:
  Recording const& recording_;
  trace::Position const* position_ = nullptr;
  std::vector<Rank> blocked_{};
};

}  // namespace earl::replay
