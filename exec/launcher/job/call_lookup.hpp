// SPDX-License-Identifier: BSD-3-Clause
/// Answers a process that asks in which native calls itself and another process are.
#pragma once

#include <vector>

#include "exec/launcher/children/channels.hpp"
#include "exec/launcher/children/child_table.hpp"
#include "exec/launcher/events/loop.hpp"
#include "exec/launcher/job/interceptors.hpp"
#include "exec/launcher/services/service_context.hpp"

namespace earl::exec {

class CallLookup {
 public:
  struct Parts {
    Loop& loop;
    Channels& channels;
    ChildTable& children;
    JobInterceptors const& interceptors;
  };

  CallLookup(Parts const& parts, ServiceContext& context) : parts_(parts), context_(context) {}

  /// Answers when both have reported their calls, or the other one cannot, or after a while: a
  /// process that computes does not report.
  void look_up(PendingReply const& reply, Rank other);
  /// A process has said hello. Its messages to others may have been faster.
  void registered(Child& child);
  /// The answer to an inquiry of this object; see control::asks_for_call.
  void reported(Rank from, Report const& report);
  /// Processes that have asked and have no answer yet.
  std::vector<Rank> waiting() const;

 private:
  struct Question {
    PendingReply reply{};
    Rank other = no_rank;
    std::uint32_t number = 0;
    bool other_answers = true;  ///< false: it has ended
    CallsAnswer answer{};
  };

  void ask(Child& child, std::uint32_t number);
  void answer(std::uint32_t number);

  Parts parts_;
  ServiceContext& context_;
  std::vector<Question> open_;
  std::uint32_t asked_ = 0;
};

}  // namespace earl::exec
