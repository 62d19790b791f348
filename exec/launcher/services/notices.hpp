// SPDX-License-Identifier: BSD-3-Clause
/// The processes that want to be notified by message of events.
#pragma once

#include <vector>

#include "exec/launcher/services/presence.hpp"
#include "exec/launcher/services/service_context.hpp"
#include "generic/services/notices.hpp"

namespace earl::exec {

class Notices final : public Service {
 public:
  Notices(ServiceContext& context, Presence const& presence)
      : context_(context), presence_(presence) {}

  void ask(PendingReply const& reply, NoticeRequest const& request);
  /// Processes that are present, as far as others may know.
  void list(PendingReply const& reply) const;
  void died(Rank rank, int wait_status) override;

 private:
  struct Wanted {
    Rank by{};
    NoticeRequest request{};
  };

  void notify(Wanted const& wanted);
  bool happened(NoticeRequest const& request) const;

  ServiceContext& context_;
  Presence const& presence_;
  std::vector<Wanted> wanted_;
};

}  // namespace earl::exec
