// SPDX-License-Identifier: BSD-3-Clause
/// A command's line to a session server: it is a member of the session server's job that takes part
/// in no messages.
#pragma once

#include <string_view>
#include <vector>

#include "exec/runtime/control.hpp"
#include "generic/base/id_table.hpp"
#include "generic/services/partitions.hpp"

namespace earl::exec {

/// The session server has ended, or closed the line, or there never was one.
class SessionGone : public Error {
 public:
  using Error::Error;
};

class SessionClient {
 public:
  /// Throws SessionGone when there is no such session server, Error when it does not answer as one.
  explicit SessionClient(std::string_view name);

  Rank rank() const { return rank_; }
  /// The job's processes.
  IdTable const& table() const { return table_; }
  /// The session server's process.
  pid_t exec() const;

  /// Asks and waits for the answer. Throws Error when the session server goes away meanwhile.
  template <class Answer, class Request>
  Answer ask(Operation operation, Request const& request) {
    Writer bytes;
    bytes(request);
    const Buffer answer = round_trip(operation, bytes.bytes());
    return control::read<Answer>(answer.bytes());
  }

 private:
  control::Message next_message();
  void send(control::Type type, Operation operation, Bytes body, std::span<int const> descriptors);
  Buffer round_trip(Operation operation, Bytes request);

  void welcomed(control::Message const& message);

  std::string name_;
  Descriptor channel_;
  Rank rank_{};
  IdTable table_{};
  std::vector<Descriptor> handed_{};
  control::Assembler assembler_{};
  std::vector<std::byte> room_ = std::vector<std::byte>(control::most_packet);
};

}  // namespace earl::exec
