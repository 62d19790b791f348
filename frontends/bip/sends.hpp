// SPDX-License-Identifier: BSD-3-Clause
/// Sends under way: long ones until their receivers have them, short ones until their queues have
/// room.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "frontends/bip/options.hpp"
#include "frontends/bip/queues.hpp"
#include "frontends/common/peers.hpp"
#include "generic/process.hpp"

namespace earl::bip {

inline constexpr std::size_t word = 4;
/// Set in the ids of receives, never in those of sends.
inline constexpr std::uint32_t receive_bit = std::uint32_t{1} << 30;
/// The tag of credits is the queue's; Envelope::word is the number of words of room.
inline constexpr Context credit_context = context_of(Space::user, 0x4249'5000'0000);  // "BIP"

/// A message as a send call describes it.
struct Outgoing {
  int dst = 0, tag = 0;
  int const* buf = nullptr;
  int length = 0;  ///< words
};

class Sends {
 public:
  struct Parts {
    Process& process;
    Options const& options;
    Peers const& peers;
    Queues& queues;
    int me;
  };

  explicit Sends(Parts const& parts) : parts_(parts) {}

  /// Returns its id.
  int start(Outgoing const& what);
  bool issued(int id) const { return 0 <= id && static_cast<std::uint32_t>(id) < started_; }
  /// Whether sends are under way; if not, all are complete.
  bool any_open() const { return !open_.empty(); }
  /// Whether sends wait for room.
  bool any_blocked() const { return !blocked_.empty(); }
  /// Waits until it is complete; an id that is not open is.
  void wait(int id);
  bool test(int id);
  /// Waits for any request; meanwhile sends go out as soon as there is room.
  Completion wait_for(RequestId request);
  /// Sends the messages that there is room for now.
  void advance();

 private:
  /// A send that is not complete.
  struct Open {
    int id = 0;
    Outgoing what{};
    RequestId request = no_request;  ///< no_request: it waits for room
    std::int64_t began = 0;          ///< where long messages are dropped
    std::uint64_t checksum = 0;      ///< where buffers are checked
  };
  /// Sends to one queue that wait for room, oldest first, and the receive posted for credit.
  struct Blocked {
    int dst = 0, tag = 0;
    RequestId credit = no_request;
    std::vector<int> ids{};
  };

  int start_unusual(Outgoing const& what, int id);
  Envelope envelope(Outgoing const& what, Mode mode) const;
  void put(Outgoing const& what, Mode mode);
  void offer(Open& send);
  Open* find(int id);
  void complete(int id, Completion const& got);
  void retire();

  bool take_room(Outgoing const& what);
  Blocked* blocked_at(int dst, int tag);
  void block(Open const& send);
  RequestId await_credit(int dst, int tag);
  /// Waits for credit of any queue, or for `request`, which is no_request for nothing else; gives
  /// its completion.
  std::optional<Completion> wait_or_credit(RequestId request);
  void add_credit(Blocked& blocked, Completion const& got);

  Parts parts_;
  std::uint32_t started_ = 0;  ///< the next one's id
  std::vector<Open> open_{};
  std::vector<Blocked> blocked_{};
};

}  // namespace earl::bip
