// SPDX-License-Identifier: BSD-3-Clause
/// Packets through a native library: memory for those that are on their way, receives for those to
/// come.
#pragma once

#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include "backends/hosted/native.h"
#include "generic/base/bytes.hpp"
#include "generic/message/header.hpp"

namespace earl::hosted_backend {

/// In front of every packet. A packet of Kind::none is from port to port.
struct Frame {
  std::uint64_t consumed = 0;  ///< bytes of frames taken from the receiver so far: its credit
  Header header{};
};
static_assert(sizeof(Frame) == 48);

/// Sizes of packets; those above are of single transfers.
inline constexpr int packet_tag = 1;
/// Payload of one packet, bytes. A longer payload costs less when the library moves it from memory
/// to memory.
inline constexpr std::size_t largest_packet = 8192;

/// Throws Error with the library's text when `error` is one.
void expect_success(earl_library_calls const& native, int error, char const* what);
/// Whether it is complete; moves everything of this process along. `size`: the bytes received.
bool is_complete(earl_library_calls const& native, earl_library_request& request, std::size_t* size,
                 char const* what);

/// Packets that have been started: the library reads them until it says so.
class Departures {
 public:
  explicit Departures(earl_library_calls const& native) : native_(native) {}

  /// Copies it; never waits.
  void start(Rank to, Frame const& frame, Gather const& payload);
  /// Looks which have gone. Best called when nothing else is to be done.
  void reap();
  bool empty() const { return under_way_.empty(); }
  /// `to` has died: the library may never complete the transfers to it.
  void abandon(Rank to);

 private:
  struct Slot {
    earl_library_request request{};
    std::vector<std::byte> room{};
    Rank to{};
  };
  using Slots = std::vector<std::unique_ptr<Slot>>;

  Slots& free_for(std::size_t size);
  std::unique_ptr<Slot> slot_for(std::size_t size);

  earl_library_calls const& native_;
  Slots short_;
  Slots long_;
  Slots under_way_;
  Slots abandoned_;  ///< the library may still read them
};

/// Receives that are posted ahead of the packets, in a circle: the library fills them in that
/// order.
class Arrivals {
 public:
  explicit Arrivals(earl_library_calls const& native);

  /// The next packet if it is here, until pop(). Moves everything of this process along.
  std::optional<Bytes> front();
  void pop();
  /// Posts those again that have been filled. Best called when nothing else is to be done.
  void restock();
  /// Takes all receives back: nothing arrives any more.
  void close();

 private:
  struct Slot {
    earl_library_request request{};
    std::vector<std::byte> room{};
  };
  void post(Slot& slot);

  earl_library_calls const& native_;
  std::vector<Slot> slots_;
  std::size_t next_ = 0;
  std::size_t filled_ = 0;           ///< before the next, not posted again yet
  std::optional<std::size_t> here_;  ///< size of the next, which is complete
};

}  // namespace earl::hosted_backend
