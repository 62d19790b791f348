/// One process's connection to all others of a job on this machine.
#pragma once

#include <array>
#include <memory>
#include <vector>

#include "backends/shm/door.hpp"
#include "backends/shm/ring.hpp"
#include "backends/shm/transfer.hpp"
#include "generic/port.hpp"
#include "generic/waiting.hpp"

namespace earl::shm {

/// Whether long messages are read out of the sender's memory, or copied through the job's.
enum class Reading { if_allowed, off };

struct PortSettings {
  WaitSettings wait{};
  Reading reading = Reading::if_allowed;

  /// EARL_WAIT, EARL_SPIN_US, EARL_YIELDS, EARL_SHM_CMA. Throws Error on values without sense.
  static PortSettings from_environment();
};

class ShmPort final : public Port {
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
  bool settle(Remote const& remote) override { return exposures_.settle(remote); }
  bool claimed(Remote const& remote) override { return exposures_.claimed(remote); }
  void unexpose(Remote const& remote) override { exposures_.unexpose(remote); }
  Pulled pull(Rank from, Offer const& offer, Scatter const& to) override;

  bool ended(Rank rank) override;
  /// Packets put to processes that had ended.
  std::uint64_t lost() const { return lost_; }

 private:
  struct Peer {
    RingReader in;
    RingWriter out;
    Door* door = nullptr;
    RankSet active;           ///< the peer's: who has sent to it
    bool interested = false;  ///< the peer's end will be told here
    bool full = false;        ///< in waiting_: a put() found no room
    bool mourned = false;     ///< its end has been told, or is in dying_
  };
  using Peers = std::array<Peer, 64>;

  Peer& peer(Rank rank) {
    if (rank == recent_rank_) return *recent_;
    auto const i = index(rank);
    if (i / 64 < peers_.size() && peers_[i / 64]) [[likely]]
      if (Peer& known = (*peers_[i / 64])[i % 64]; known.door) [[likely]]
        return known;
    return new_peer(rank);
  }
  [[gnu::noinline]] Peer& new_peer(Rank rank);
  RingWriter& writer(Peer& peer, Rank to) {
    if (!peer.out.open()) [[unlikely]]
      open_writer(peer, to);
    return peer.out;
  }
  [[gnu::noinline]] void open_writer(Peer& peer, Rank to);
  /// False: whoever said that it has a ring to here has none.
  bool open_reader(Peer& peer, Rank from) { return peer.in.open() || find_ring(peer, from); }
  [[gnu::noinline]] bool find_ring(Peer& peer, Rank from);

  bool goes_nowhere(Peer& peer, Header const& header, Rank to) {
    if (has_ended(*peer.door)) [[unlikely]]
      return lose(peer, to);
    if (wants_answer(header.packet_kind()) && !peer.interested) [[unlikely]]
      show_interest(peer, to);
    return false;
  }
  /// A death of the receiver of such a packet leaves somebody waiting for an answer.
  static bool wants_answer(Kind kind) { return kind == Kind::offer || kind == Kind::accept; }
  [[gnu::cold, gnu::noinline]] bool lose(Peer& peer, Rank to);
  /// Lets the receiver know of a packet that is there already.
  void announce(Peer& peer) {
    fences_.own();  // pairs with those in retire() and sleep_at()
    if (!peer.active.has(me_)) [[unlikely]]
      peer.active.add(me_);
    wake_if_asleep(*peer.door);
  }
  [[gnu::noinline]] void show_interest(Peer& peer, Rank in);
  [[gnu::noinline]] void wait_for_room(Peer& peer, Rank to);
  [[gnu::noinline]] void no_longer_full(Peer& peer, Rank to);

  [[gnu::noinline]] std::size_t poll_all(PacketSink& sink);
  std::size_t visit(Peer& source, Rank from, PacketSink& sink);
  void visited_in_vain(Peer& peer, Rank from);
  void retire(Peer& peer, Rank from);
  void publish(Peer& peer);
  void publish_all();

  std::size_t hear_of_deaths(PacketSink& sink);
  void mourn(Peer& peer, Rank rank);
  bool knows(Rank rank);
  bool says_more(Rank rank, PacketSink& sink);

  bool ready();
  bool packet_there();
  bool room_there();
  bool ask_for_room();
  bool spin(Deadline deadline);
  void sleep(Deadline deadline);

  Segment segment_;
  Head& head_;
  Rank const me_;
  Door& door_;
  RankSet active_;
  std::uint64_t const key_;
  std::vector<std::unique_ptr<Peers>> peers_;
  /// The source of the last packet: what comes next most likely comes from there too.
  Peer* recent_ = nullptr;
  Rank recent_rank_ = no_rank;
  std::uint32_t shortcuts_ = 0;   ///< polls in a row that looked nowhere else
  std::uint32_t vain_waits_ = 0;  ///< waits that were not to take any time, since the last yield
  std::uint32_t knocks_ = 0;
  std::uint32_t deaths_ = 0;  ///< heard of
  std::vector<Rank> waiting_;
  std::vector<Rank> dying_;  ///< ended, but not all they sent has been handed over
  std::uint32_t sleep_ = 0;  ///< number of the last one
  std::atomic<bool> woken_ = false;
  bool readable_ = false;
  Waiter waiter_;
  Fences fences_;
  Arena arena_;
  Exposures exposures_;
  std::uint64_t lost_ = 0;
};

}  // namespace earl::shm
