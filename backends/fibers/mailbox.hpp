// SPDX-License-Identifier: BSD-3-Clause
/// The messages that have been sent to a rank and not been taken in. There is one mailbox for each
/// rank, also for those that have not started yet.
#pragma once

#include <cstdint>
#include <unordered_set>
#include <vector>

#include "generic/seams/boards.hpp"

namespace earl::fibers {

struct RankFiber;

/// Members that each message needs come first, in one cache line.
class alignas(64) Mailbox {
 public:
  static constexpr std::size_t room =
      256 * 1024;  ///< bytes that senders may leave before they wait

  /// Senders let the owner run before they send more.
  bool full() const { return used_ + handed_ >= room; }
  bool empty() const { return used_ == 0; }
  void add(Header const& header, Gather const& payload);
  /// So many bytes have gone to the owner at once, which has not run since.
  void hand(std::size_t bytes) { handed_ += bytes; }
  void owner_runs() { handed_ = 0; }
  /// Hands over all that is there; says how many.
  std::size_t empty_into(PacketSink& sink);

  /// First word from or to `rank`. False: there has been one.
  bool meet(Rank rank);
  /// No word goes to or comes from `rank` any more.
  void remove(Rank rank);
  /// The owner has ended: what has come is dropped, as is what will come.
  void close();

  RankFiber* owner = nullptr;  ///< null: it does not live yet, or any more
  /// Called by the owner while it waits: packets may be handed over directly.
  PacketSink* open = nullptr;
  bool ended = false;
  bool control_ready = false;  ///< EXEC has written to its channel
  bool woken = false;
  Awaited awaited{};  ///< the word of a board that the owner waits for

 private:
  std::size_t used_ = 0;  ///< of packets_
  std::size_t handed_ = 0;

 public:
  std::vector<Rank> gone{};   ///< peers that have ended and are not reported yet
  std::vector<Rank> peers{};  ///< it has exchanged packets with

 private:
  void make_room(std::size_t size);

  Buffer packets_{};
  Buffer leaving_{};  ///< being handed over
  std::unordered_set<std::int32_t> met_{};
};

}  // namespace earl::fibers
