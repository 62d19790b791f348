// SPDX-License-Identifier: BSD-3-Clause
/// Waiting for the ends of processes that were loaded into partitions.
#pragma once

#include <vector>

#include "exec/launcher/services/service_context.hpp"
#include "generic/services/partitions.hpp"

namespace earl::exec {

class Waits final : public Service {
 public:
  explicit Waits(ServiceContext& context) : context_(context) {}

  void one(PendingReply const& reply, Places const& where);
  void all(PendingReply const& reply, Places const& where);
  /// A process was loaded: there is an end to wait for, some day.
  void expect(Rank rank);
  void died(Rank rank, int wait_status) override;
  std::optional<WaitReason> wait_reason_of(Rank rank) const override;

 private:
  struct Loaded {
    Rank rank{};
    bool ended = false;
    int wait_status = 0;
  };
  struct Waiting {
    PendingReply reply{};
    Places where{};
    bool all = false;
  };

  void ask(Waiting const& waiting);
  /// True when it has been answered.
  bool try_answer(Waiting const& waiting);
  WaitAnswer answer_for(Loaded const& loaded) const;
  bool covers(Places const& where, Rank rank) const;

  ServiceContext& context_;
  std::vector<Loaded> loaded_;    ///< not waited for yet; ended ones first to last
  std::vector<Waiting> waiting_;  ///< first come, first served
};

}  // namespace earl::exec
