// SPDX-License-Identifier: BSD-3-Clause
/// Operations under way and their outcomes.
#pragma once

#include <cstdint>

#include "generic/base/bytes.hpp"
#include "generic/base/values.hpp"
#include "generic/message/match_spec.hpp"
#include "generic/seams/port.hpp"

namespace earl {

/// Names an operation under way in one process; never 0, never reused while it can be asked about.
enum class RequestId : std::uint64_t {};
inline constexpr RequestId no_request{0};

/// The outcome of a send or a receive.
struct Completion {
  Envelope envelope{};          ///< of the message; `length` is its true length
  MessageId id{};               ///< user contexts only
  std::uint64_t delivered = 0;  ///< bytes written to the receiver's memory
  bool receive = false;
  bool truncated = false;  ///< cut: delivered < envelope.length
  bool refused = false;    ///< too long and kept in the queue: nothing was delivered
  bool cancelled = false;
  /// The other process, named by a receive, died before its bytes were read; or it ended and has
  /// not taken a synchronous send.
  bool lost = false;
  /// Synchronous sends: MatchSpec::mode of the receive that took the message; their own mode while
  /// none has.
  Mode taken_as = Mode::standard;
};

/// One of several requests that is complete.
struct Completed {
  std::size_t position = 0;  ///< in the caller's list
  Completion result{};
};

/// A whole message that now belongs to the caller.
struct Message {
  Envelope envelope{};
  MessageId id{};
  Buffer body{};
};

/// The result of a probe.
struct Found {
  Envelope envelope{};
  MessageId id{};
};

}  // namespace earl
