// SPDX-License-Identifier: BSD-3-Clause
/// One process's connection to all others of a job, over native PVM.
#pragma once

#include <poll.h>

#include <atomic>
#include <map>
#include <memory>
#include <span>
#include <unordered_map>
#include <vector>

#include "backends/pvm/board.hpp"
#include "backends/pvm/native.h"
#include "generic/seams/port.hpp"
#include "generic/system/bell.hpp"
#include "generic/system/waiting.hpp"
#include "generic/window.hpp"

namespace earl::pvm_backend {

enum class Route { daemon, direct };

struct PortSettings {
  Route route = Route::daemon;
  WaitPolicy wait{};

  /// EARL_PVM_ROUTE, and those of generic/system/waiting. Throws Error on values without sense.
  static PortSettings from_environment();
};

/// In front of every packet. A packet of Kind::none is nothing but this.
struct Frame {
  std::uint64_t consumed = 0;  ///< bytes of frames taken from the receiver so far: its credit
  std::uint64_t sequence = 0;  ///< of the frames from this sender to this receiver
  Header header{};
};
static_assert(sizeof(Frame) == 56);

/// In front of a packet for many, once for each; the payload comes after all of them.
struct Share {
  std::int32_t rank = 0;
  std::uint32_t count = 0;  ///< in the first: how many there are
  Frame frame{};
};
static_assert(sizeof(Share) == 64);
inline constexpr std::size_t most_shares = 128;

/// Throws Error on one of PVM's error numbers.
int check(int result, char const* operation);

class PvmPort final : public Port {
 public:
  /// Enrols. Throws Error when the daemon will not have it.
  PvmPort(std::unique_ptr<Board> board, Bell bell, Rank me, earl_pvm_native const& native,
          PortSettings const& settings);

  Limits limits() const override;
  bool put(Rank to, Header const& header, Gather const& payload) override;
  bool put_all(std::span<const Addressed> all, Gather const& payload) override;
  std::size_t poll(PacketSink& sink) override;
  void wait(Deadline deadline) override;
  void wake() override;
  bool ended(Rank rank) override { return board_->has(rank) && board_->has_ended(rank); }
  void leave() override;

  /// Packets put to processes that had ended.
  std::uint64_t lost() const { return lost_; }

 private:
  /// Has come before this host knew that task.
  struct Early {
    int tid = 0;
    Buffer message;
  };
  struct Peer {
    Rank rank{};
    int tid = 0;
    Window window{};
    std::uint64_t sent = 0;  ///< frames; the sequence number of the next
    std::uint64_t expected = 0;
    std::map<std::uint64_t, Buffer>
        overtaking{};    ///< frames, by sequence: before `expected` is here
    bool dying = false;  ///< it has ended; PVM has been asked when its last packet is here
  };

  Peer& peer(Rank rank);
  bool find_task(Peer& peer, Rank rank);
  void send(Peer& to, Header const& header, Gather const& payload);
  void send_shares(std::span<const Addressed> all, Gather const& payload);
  void return_credit(Peer& to);

  bool may_have_more();
  std::size_t receive(PacketSink& sink);
  earl_pvm_expected expected();
  void handle_arrival(earl_pvm_arrival const& arrival, PacketSink& sink);
  void packet(int tid, Bytes message, PacketSink& sink);
  void shared_packet(int tid, Bytes message, PacketSink& sink);
  bool is_peer(Rank source) const { return board_->has_room_for(source) && source != me_; }
  int task_of(Rank source);
  bool may_have_sent() const;
  void note_drained();
  Frame next_frame(Peer& to, Header const& header);
  void in_order(Frame const& frame, Bytes message, PacketSink& sink);
  void take_overtaking(Peer& from, PacketSink& sink);
  void accept(Frame const& frame, Bytes payload, PacketSink& sink);
  bool too_early(Rank source, int tid);
  std::size_t look_at_early(PacketSink& sink);
  std::size_t observe_deaths();
  void drain_ended_peer(Peer& peer);
  std::size_t mark_ended(PacketSink& sink);
  bool more_to_read() const;
  std::vector<pollfd> readable_files() const;
  bool ready(std::span<pollfd> files);
  void sleep(std::vector<pollfd>& files, Deadline deadline);

  BoardRow& my_row() { return board_->row(me_); }

  std::unique_ptr<Board> board_;
  Bell bell_;
  Rank const me_;
  earl_pvm_native const& native_;
  bool const by_daemon_;
  Waiter waiter_;
  std::unordered_map<std::int32_t, std::unique_ptr<Peer>> peers_;  ///< by rank, until it is gone
  std::unordered_map<int, Rank> ranks_;  ///< by task id, of peers that are known
  std::vector<std::byte> room_;
  std::vector<Early> early_;
  std::vector<Rank> gone_;   ///< ended, and the daemon has nothing more of them
  std::uint32_t dying_ = 0;  ///< peers that have ended and are not gone
  BoardNotices notices_;
  /// False: libpvm3 may hold messages that no descriptor signals: it reads while it sends, too.
  bool drained_ = false;
  enum class Input { none, perhaps, something };
  Input input_ = Input::perhaps;  ///< in PVM's descriptors, since libpvm3 has looked
  std::uint32_t frames_ = 0;      ///< received, of those that my row counts
  std::uint32_t watches_ = 0;     ///< notices of deaths asked of PVM and not yet come
  bool left_ = false;
  std::atomic<bool> woken_ = false;
  std::uint64_t lost_ = 0;
};

}  // namespace earl::pvm_backend
