// SPDX-License-Identifier: BSD-3-Clause
/// The peers of a process: a channel to each, from the first contact until the peer is gone.
#pragma once

#include <cstdint>
#include <unordered_map>

#include "generic/channel.hpp"
#include "generic/endpoint.hpp"
#include "generic/seams/report.hpp"

namespace earl {

class Peers {
 public:
  /// `first_sequence`: the number of the first message of every channel.
  Peers(Endpoint& endpoint, std::uint64_t first_sequence)
      : endpoint_(endpoint), first_sequence_(first_sequence) {}

  /// Null: nothing has been said yet, or the peer is gone.
  Channel* find(Rank rank) const { return channels_.find(rank); }
  /// A channel lives until its peer is gone, which Engine::pump() may find out.
  Channel& channel(Rank rank) {
    Channel* const known = channels_.find(rank);
    return known ? *known : open(rank);
  }
  /// For a message to `dest`. Throws Error when there is no such process, or none can be reached.
  Channel& channel_to(Rank dest) {
    Channel* const known = channels_.find(dest);
    return known ? *known : first_contact(dest);
  }
  /// For a packet that says it is from `source`. Throws Error when there is no such process.
  Channel& channel_from(Rank source) {
    Channel* const known = channels_.find(source);
    return known ? *known : first_packet_from(source);
  }
  void close(Channel& channel);
  /// No packet has been sent or has come, or all peers are gone.
  bool empty() const { return channels_.empty(); }
  auto begin() const { return channels_.begin(); }
  auto end() const { return channels_.end(); }

  /// Fills in the packets that have been sent and have arrived.
  void count_traffic(Report& report) const;
  /// A peer's end is known here, but its messages have not all arrived: the port will report it.
  bool has_undrained_dead_peer() const;
  /// A peer that is gone, of which all has been fetched that could be.
  bool has_nothing_left(Rank from) const {
    return !endpoint_.waits_for_readers() && !channels_.find(from);
  }

 private:
  Channel& open(Rank rank);
  [[gnu::cold, gnu::noinline]] Channel& first_contact(Rank dest);
  [[gnu::cold, gnu::noinline]] Channel& first_packet_from(Rank source);

  Endpoint& endpoint_;
  std::uint64_t first_sequence_;
  ChannelTable channels_;
  /// The counts of channels of peers that are gone, while debuggers number sends.
  std::unordered_map<std::int32_t, std::uint64_t> sent_before_;
  std::uint64_t past_traffic_ = 0;  ///< packets to and from peers that are gone
};

}  // namespace earl
