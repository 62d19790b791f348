// SPDX-License-Identifier: BSD-3-Clause
/// One process's connection to all others of a job on this host.
#pragma once

#include <vector>

#include "backends/shm/boards.hpp"
#include "backends/shm/memory_checks.hpp"
#include "backends/shm/peers.hpp"
#include "backends/shm/transfer.hpp"
#include "generic/seams/port.hpp"
#include "generic/system/board_notices.hpp"
#include "generic/system/waiting.hpp"

namespace earl::shm {

/// Whether long messages are read out of the sender's memory, or copied through the job's.
enum class Reading { if_allowed, off };

struct PortSettings {
  WaitSettings wait{};
  Reading reading = Reading::if_allowed;

  /// EARL_WAIT, EARL_SPIN_US, EARL_YIELDS, EARL_SHM_CMA. Throws Error on values without sense.
  static PortSettings from_environment();
};

/// A death of the receiver of such a packet leaves a sender waiting for an answer.
inline bool wants_answer(Kind kind) { return kind == Kind::offer || kind == Kind::accept; }

class ShmPort final : public Port, public ShmBoards {
 public:
  /// Throws Error when the job has no place for `me`.
  ShmPort(Segment segment, Rank me, PortSettings const& settings);

  Limits limits() const override;
  bool put(Rank to, Header const& header, Gather const& payload) override;
  bool keep(Rank to, Header const& header, Gather const& payload) override;
  std::size_t poll(PacketSink& sink) override;
  void wait(Deadline deadline) override;
  void wake() override;

  Remote expose(TransferId, Bytes bytes) override;
  bool copy_exposed(Remote const& remote) override { return exposures_.copy_exposed(remote); }
  bool claimed(Remote const& remote) override { return exposures_.claimed(remote); }
  void unexpose(Remote const& remote) override { exposures_.unexpose(remote); }
  Pulled pull(Rank from, Offer const& offer, Scatter const& to) override;

  bool ended(Rank rank) override;
  /// Says how much it has sent, so that a receiver notices what is missing.
  void leave() override;
  /// Packets put to processes that had ended.
  std::uint64_t lost() const { return lost_; }

 private:
  Peer& peer(Rank rank) {
    if (rank == recent_rank_) return *recent_;
    if (Peer* const known = peers_.in_slot(segment_.layout().slot(rank));
        known && known->rank == rank) [[likely]]
      return *known;
    return new_peer(rank);
  }
  /// A rank whose slot belongs to another one by now: an absent peer.
  [[gnu::noinline]] Peer& new_peer(Rank rank);
  void close_peer(Peer& peer);
  RingWriter& writer(Peer& peer, Rank to) {
    if (!peer.out.open()) [[unlikely]]
      open_writer(peer, to);
    return peer.out;
  }
  [[gnu::noinline]] void open_writer(Peer& peer, Rank to);
  /// The sender in that slot. Null: the process that announced a ring to here has none.
  Peer* sender_in(Rank slot) {
    if (index(slot) >= segment_.layout().capacity) [[unlikely]]
      checks_.refuse_sender_set();
    Peer* const known = peers_.in_slot(index(slot));
    return known && known->in.open() ? known : find_ring(slot);
  }
  [[gnu::noinline]] Peer* find_ring(Rank slot);
  void no_sender_in(Rank slot);
  /// All that this process has written, and its peers' part. Throws MemoryDamage.
  [[gnu::noinline]] void check_own();

  bool drop_if_receiver_ended(Peer& peer, Header const& header, Rank to) {
    if (peer.ended()) [[unlikely]]
      return drop_packet(peer, to);
    if (wants_answer(header.packet_kind()) && !peer.interested) [[unlikely]]
      show_interest(peer, to);
    return false;
  }
  [[gnu::cold, gnu::noinline]] bool drop_packet(Peer& peer, Rank to);
  /// Lets the receiver know of a packet that is there already.
  void announce(Peer& peer) {
    fences_.own();  // pairs with those in retire() and sleep_at()
    if (!peer.active.has(my_slot_)) [[unlikely]]
      peer.active.add(my_slot_);
    if (wake_if_asleep(*peer.door)) [[unlikely]]
      waiter_.woke_another();
  }
  [[gnu::noinline]] void show_interest(Peer& peer, Rank in);
  [[gnu::noinline]] void wait_for_room(Peer& peer, Rank to);
  [[gnu::noinline]] void no_longer_full(Peer& peer, Rank to);

  [[gnu::noinline]] std::size_t poll_all(PacketSink& sink);
  std::size_t visit(Peer& source, PacketSink& sink);
  void record_empty_visit(Peer& peer);
  void retire(Peer& peer);
  void publish_all();

  std::size_t observe_deaths(PacketSink& sink);
  void drain_ended_peer(Peer& peer, Rank rank);
  void observe_death(Rank rank);
  void observe_all_deaths();

  bool ready();
  bool packet_there();
  bool peer_has_room();
  bool ask_for_room();
  bool await(Deadline deadline);
  void sleep(Deadline deadline);

  Segment segment_;
  Head& head_;
  Rank const me_;
  Rank const my_slot_;
  Door& door_;
  RankSet active_;
  RankSet contacts_;  ///< ranks that have ever had a ring to or from here
  PeerTable peers_;
  MemoryChecks checks_{segment_, me_};
  Door no_door_{};
  Peer absent_;  ///< stands for peers whose slots belong to others
  /// The source of the last packet: the next one most likely comes from there too.
  Peer* recent_ = nullptr;
  Rank recent_rank_ = no_rank;
  std::uint32_t shortcuts_ = 0;     ///< polls in a row that looked nowhere else
  std::uint32_t failed_waits_ = 0;  ///< waits that were not to take any time, since the last yield
  BoardNotices notices_;
  std::vector<Rank> waiting_;
  std::vector<Rank> dying_;          ///< ended, but not all they sent has been handed over
  std::uint32_t sleep_ = 0;          ///< number of the last one
  std::chrono::nanoseconds nap_{0};  ///< after which it looks at its own shared words
  std::atomic<bool> woken_ = false;
  Receiver receiver_;
  Waiter waiter_;
  Fences fences_;
  Arena arena_;
  Exposures exposures_;
  std::uint64_t lost_ = 0;
};

}  // namespace earl::shm
