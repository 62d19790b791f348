// SPDX-License-Identifier: BSD-3-Clause
/// Frames over TCP, between hosts or on one: a link of this job only, whichever program finds its
/// port.
#pragma once

#include <sys/epoll.h>

#include <array>
#include <atomic>
#include <functional>
#include <memory>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "backends/net/link.hpp"
#include "backends/net/tcp/connection.hpp"
#include "generic/system/bell.hpp"

namespace earl::tcp {

// The source of an epoll event: peers by rank, incoming connections above all these.
inline constexpr std::uint64_t the_bell = std::uint64_t{1} << 32;
inline constexpr std::uint64_t the_listener = the_bell + 1;
inline constexpr std::uint64_t the_clock = the_bell + 2;
inline constexpr std::uint64_t first_incoming = the_bell + 3;

class TcpLink final : public net::Link {
 public:
  /// The name of a peer in messages.
  using Names = std::function<std::string(Rank)>;

  /// `listener` is where peers connect to. Throws Error.
  TcpLink(PeerCredentials const& trust, Rank me, Descriptor listener, Bell bell,
          Names names = rank_name);

  net::LinkFacts facts() const override { return {.frame = largest_frame, .trusted = true}; }
  std::string address() const override { return to_text(own_end(listener_.get())); }
  void connect(Rank to, std::string_view address) override;
  bool knows(Rank to) const { return peers_.contains(number(to)); }
  /// Throws Error when `to` cannot be reached for longer than a peer's end may stay unnoticed.
  bool send(Rank to, Gather const& frame) override;
  std::size_t progress(net::FrameSink& sink, std::size_t most) override;
  bool ready() override;
  void sleep(Deadline deadline) override;
  void wake() override;
  int wait_fd() override { return epoll_.get(); }
  std::string route_description(Rank to) const override;
  void close(Deadline deadline) override;

  /// Nothing goes to `peer` any more: it has ended. False: that was known.
  bool mark_ended(Rank peer);
  /// After mark_ended(): nothing comes from it any more either, and its number need not be known.
  void part(Rank peer) { ended_.erase(number(peer)); }
  /// The peers that something has gone to or come from.
  std::vector<Rank> known() const;
  /// Whether frames of `peer` may still come.
  bool may_receive_from(Rank peer) const;
  /// All sent data has been taken over by the hosts of living peers.
  bool all_acknowledged() const;
  /// Connections that were none of this job's.
  std::uint32_t rejected_connections() const { return rejected_connections_; }
  /// "rank 3".
  static std::string rank_name(Rank peer);

 private:
  struct Peer {
    std::string address;
    std::unique_ptr<Outgoing> way{};
    std::uint32_t events = 0;
    Deadline failing_since{};  ///< zero: it is not
    Deadline next_try{};
  };
  /// A connection with it broke, and its end has not been reported yet.
  struct BrokenLink {
    std::string reason;
    int seconds = 0;  ///< that have passed while this process ran
  };

  void open(Peer& peer, Rank to);
  void watch(Peer& peer, Rank to);
  void went_on(Peer& peer, Rank to);
  void failed(Peer& peer, Rank to);
  bool try_again(Peer& peer, Rank to);
  bool poll_events();
  void admit();
  void limit_unauthenticated();
  std::size_t receive(std::uint64_t id, net::FrameSink& sink);
  void drop(std::uint64_t id, net::FrameSink& sink);
  void link_broke(Rank peer, std::string const& reason);
  void clear(Rank peer);
  void judge();
  void add(int socket, std::uint64_t id, std::uint32_t events);

  PeerCredentials const trust_;
  Rank const me_;
  Names const names_;
  Descriptor listener_;
  Bell bell_;
  Descriptor epoll_;
  std::unordered_map<std::int32_t, Peer> peers_;
  std::unordered_map<std::uint64_t, Incoming> incoming_;  ///< by number, in order of arrival
  std::uint64_t next_incoming_;
  std::uint32_t rejected_connections_ = 0;
  std::uint32_t failing_ = 0;  ///< peers to be tried again
  std::unordered_set<std::int32_t> ended_{};
  std::unordered_map<std::int32_t, BrokenLink> broken_{};  ///< by rank
  Descriptor clock_{};                                     ///< ticks while there are some
  std::atomic<bool> woken_ = false;
  std::array<epoll_event, 64> events_{};
  int seen_ = 0;  ///< how many of these have not been dealt with
};

}  // namespace earl::tcp
