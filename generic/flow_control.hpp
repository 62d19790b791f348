// SPDX-License-Identifier: BSD-3-Clause
/// Flow control: the messages that a process has sent and no process has received are bounded. A
/// short message is charged to its sender until a receive takes it, which the receiver reports
/// every so often (Kind::credit); a long one while its bytes are in a copy. Above the limit a
/// message is only offered, as long ones are, and a blocking send waits until it is taken or there
/// is room.
#pragma once

#include <cstdint>

#include "generic/base/id_table.hpp"
#include "generic/channel.hpp"

namespace earl {

/// The charge of a message: its bytes, and about the memory its receiver needs to keep it.
constexpr std::uint64_t charge_of(std::uint64_t length) {
  constexpr std::uint64_t overhead = 256;
  return length + overhead;
}

class FlowControl {
 public:
  /// Each channel may hold this much independent of others: a receiver reports the taken messages
  /// at the latest when this is `report_after`, so that a waiting sender is notified.
  static constexpr std::uint64_t least_per_channel = 256 * 1024;
  static constexpr std::uint64_t report_after = least_per_channel / 2;

  /// The limit is the job's, which the table says; each process that lives has an equal share.
  explicit FlowControl(IdTable const& table) : table_(table) {}

  /// Whether a message with this charge may be sent to be kept.
  bool has_room(Channel const& to, std::uint64_t charge) {
    return outstanding_ + charge <= checked_ || look_for_room(to, charge);
  }
  /// A short message leaves.
  void sent(Channel& to, std::uint64_t charge) {
    to.flow.sent += {charge, 1};
    outstanding_ += charge;
  }
  /// One short message of `from` was taken. True: it is time to report.
  static bool taken(Channel& from, std::uint64_t charge) {
    from.flow.taken += {charge, 1};
    return from.flow.taken.bytes - from.flow.reported >= report_after;
  }
  /// The receiver reports all that it has taken; an impossible number is ignored.
  void credit(Channel& to, MessageCount const& taken);
  /// A copy of a long message is made, and given back.
  void copied(Channel& to, std::uint64_t charge) {
    to.flow.copies += {charge, 1};
    outstanding_ += charge;
  }
  void released(Channel& to, std::uint64_t charge) {
    to.flow.copies -= {charge, 1};
    outstanding_ -= charge;
  }
  /// The peer is gone, with the messages sent to it.
  void closed(Channel const& to) { outstanding_ -= to.flow.outstanding().bytes; }

  /// Bytes that all processes of the job may hold; 0: any number.
  std::uint64_t limit() const { return table_.message_memory(); }
  std::uint64_t outstanding() const { return outstanding_; }

 private:
  bool look_for_room(Channel const& to, std::uint64_t charge);
  std::uint64_t share();

  IdTable table_;
  std::uint64_t outstanding_ = 0;
  std::uint64_t checked_ = 0;  ///< below the share for certain: up to here no check is needed
  std::uint64_t share_ = 0;
  std::uint32_t looks_ = 0;  ///< at share_ since it was computed
};

}  // namespace earl
