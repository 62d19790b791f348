// SPDX-License-Identifier: BSD-3-Clause
/// All services that processes ask for by name: groups, barriers, events, the store, notices. They
/// know processes by their ids (see process_of()).
#pragma once

#include <array>

#include "exec/launcher/services/groups.hpp"
#include "exec/launcher/services/meetings.hpp"
#include "exec/launcher/services/notices.hpp"
#include "exec/launcher/services/store.hpp"

namespace earl::exec {

class NamedServices final : public Service {
 public:
  explicit NamedServices(ServiceContext& context);

  /// Serves a request, whose answer may come later. False: the operation is none of these. Throws
  /// Error when the request is malformed.
  bool serve(PendingReply const& reply, Reader& request);
  void died(Rank rank, int wait_status) override;
  /// The roster does not have it any more.
  void released(Rank rank) { presence_.released(rank); }
  std::optional<WaitReason> wait_reason_of(Rank rank) const override;
  /// Whether `id` is there for others: it lives and has not left these services.
  bool present(Rank id) const { return presence_.has(id); }
  /// Whether the process has left these services, or ended.
  bool has_left(Rank process) const { return presence_.is_away(process); }

 private:
  bool answer(PendingReply const& reply, Reader& request);
  void retire(Rank process);
  void remove(Rank id, int wait_status);

  ServiceContext& context_;
  Presence presence_{context_};
  Groups groups_{context_};
  Meetings meetings_{context_};
  Store store_{context_};
  Notices notices_{context_, presence_};
};

}  // namespace earl::exec
