// SPDX-License-Identifier: BSD-3-Clause
#include "exec/launcher/job/service_messages.hpp"

#include <array>

namespace earl::exec {

void ServiceMessages::send_answer(PendingReply const& reply, Bytes answer) {
  if (auto* const child = receiver(reply.to))
    parts_.channels.send(*child, control::Type::answer, reply.ticket, reply.operation, answer);
}

void ServiceMessages::send_message(Rank to, Header const& header, Bytes payload) {
  const std::array pieces{bytes_of(header), payload};
  const Buffer packet{Gather{std::span<Bytes const>{pieces}}};
  if (auto* const child = receiver(to))
    parts_.channels.send(*child, control::Type::message, 0, 0, packet.bytes());
}

/// The receiver of something that may set it going: its last report of waiting is older.
/// Null: it has ended.
Child* ServiceMessages::receiver(Rank to) {
  auto* const child = parts_.children.find(process_of(to));
  if (child) parts_.monitor.notified(child->rank);
  return child;
}

}  // namespace earl::exec
