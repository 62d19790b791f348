// SPDX-License-Identifier: BSD-3-Clause
/// Delivers to subscribers what other processes print (PVM's pvm_catchout).
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "exec/launcher/children/child_table.hpp"
#include "exec/launcher/events/loop.hpp"
#include "exec/launcher/job/interceptors.hpp"
#include "exec/launcher/output/output.hpp"
#include "exec/launcher/services/named_services.hpp"

namespace earl::exec {

class OutputDelivery {
 public:
  struct Parts {
    Loop& loop;
    Output& output;
    ChildTable const& children;
    JobInterceptors const& interceptors;
    NamedServices const& services;
    ServiceContext& context;
  };

  /// `deliver` is to call deliver_next() until it is false; it is called soon after something has
  /// been printed.
  OutputDelivery(Parts const& parts, std::function<void()> deliver)
      : parts_(parts), deliver_(std::move(deliver)) {}

  /// Output of `writer`, on `host` as programs see it, goes to a subscriber. Before any of it is
  /// read.
  void subscribe(Child const& writer, SubscriptionRequest const& wanted, std::uint32_t host,
                 pid_t output_writer);
  /// The writer has been started.
  void notify_start(Rank writer);
  /// Takes in what all writers have printed by now.
  void read_output();
  /// A subscriber has read, or there is something to deliver. Not at once: pipes are being read.
  void deliver_soon();
  /// Delivers one piece. False: nothing may be delivered now.
  bool deliver_next();
  /// Output that has not been delivered goes to the user.
  void give_up();

  bool empty() const { return subscriptions_.empty(); }
  /// Not all that this process has printed has been delivered.
  bool has_output_of(Rank writer) const { return subscription_of(writer) != nullptr; }

 private:
  OutputSubscription* subscription_of(Rank writer) const;
  void send(SubscriptionRequest const& wanted, std::string_view message);
  bool deliver_piece(OutputSubscription& output);
  void give_up(OutputSubscription& output);

  Parts parts_;
  std::function<void()> deliver_;
  std::vector<std::shared_ptr<OutputSubscription>> subscriptions_;
  bool due_ = false;  ///< deliver_() will be called
};

}  // namespace earl::exec
