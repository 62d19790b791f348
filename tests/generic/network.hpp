// SPDX-License-Identifier: BSD-3-Clause
/// Several Processes in one thread, joined by queues: unit tests of the core need no back end.
///
/// wait() of one port lets all other processes make progress, so a blocking call returns as soon as
/// the event it needs has been started elsewhere; a call that cannot complete throws Stuck. run()
/// gives each process a thread of its own; one at a time has its turn, round and round, so that a
/// test runs the same way every time.
#pragma once

#include <algorithm>
#include <array>
#include <condition_variable>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <stdexcept>
#include <utility>

#include "generic/collectives/collectives.hpp"
#include "generic/process.hpp"
#include "generic/seams/boards.hpp"
#include "generic/seams/direct_transfer.hpp"
#include "generic/system/memory_damage.hpp"

namespace earl::test {

struct Stuck : std::logic_error {
  Stuck() : std::logic_error("nothing moves any more") {}
};

struct Packet {
  Header header{};
  Buffer payload{};
};

/// An id table of so many registered processes, and the memory that their messages may take; 0:
/// any.
std::vector<std::byte> id_table_of(std::size_t size, std::uint64_t message_memory = 0);

/// The abilities of a test's back end.
struct Traits {
  std::size_t eager = 64;
  std::size_t packet = 128;
  std::size_t room = 16;  ///< packets a channel holds before put() says no
  bool remote_readable = false;
  bool moves = false;
  bool packets_outlive_sender = false;
  bool multicasts = false;
  std::uint64_t first_sequence = 0;
  std::uint64_t message_memory = 0;                     ///< 0: no limit
  std::size_t boards = 0;                               ///< groups that can have one
  bool one_address_space = true;                        ///< common_memory() is the port's
  std::size_t without_common_memory = ~std::size_t{0};  ///< the system refuses it this process
  bool pull_refused = false;  ///< readable, but pull() of memory not copied cannot
};

inline const Traits plain{};
inline const Traits keeping{.packets_outlive_sender = true};
inline const Traits moving{.moves = true};
inline const Traits multicasting{.multicasts = true};
inline const Traits exposing{.remote_readable = true, .packets_outlive_sender = true};
inline const Traits half_exposing{
    .remote_readable = true, .packets_outlive_sender = true, .pull_refused = true};

class Network;

class QueuePort final : public Port, public DirectTransfer, public Boards {
 public:
  QueuePort(Network& network, Rank me) : network_(network), me_(me) {}

  Limits limits() const override;
  bool put(Rank to, Header const& header, Gather const& payload) override;
  bool put_all(std::span<const Addressed> all, Gather const& payload) override;
  bool keep(Rank to, Header const& header, Gather const& payload) override;
  std::size_t poll(PacketSink& sink) override;
  void wait(Deadline deadline) override;
  void wake() override {}
  Remote expose(TransferId, Bytes bytes) override;
  bool copy_exposed(Remote const& remote) override;
  bool claimed(Remote const&) override { return false; }
  void unexpose(Remote const& remote) override;
  Pulled pull(Rank from, Offer const& offer, Scatter const& to) override;
  bool ended(Rank rank) override;
  bool has_direct_transfer() const override;
  Remote post_direct_receive(Envelope const& message, TransferId transfer,
                             Scatter const& to) override;
  void cancel_direct_receive(Rank from, Remote const& target) override;
  void start_direct_send(Rank to, Remote const& target, Bytes bytes) override;
  void finish_direct_send(Rank to, Remote const& target) override;
  std::byte* board(std::uint64_t key, std::span<const Rank> members) override;
  void leave_board(std::uint64_t key, std::size_t members) override;
  Awaited await_word(Awaited const& word) override { return std::exchange(awaited_, word); }
  void fence() override {}
  void wake_members(std::span<const Rank> members) override;
  void board_damaged() override { throw MemoryDamage("a board"); }
  std::shared_ptr<std::byte> common_memory(std::uint64_t key, std::size_t size) override;

 private:
  std::size_t land(PacketSink& sink);

  Network& network_;
  Rank me_;
  Awaited awaited_{};
};

/// The process ends there: quit().
struct Quit {
  int code = 0;
};

class NoExecutive final : public Executive {
 public:
  explicit NoExecutive(bool& leaving) : leaving_(leaving) {}
  void leaving() override { leaving_ = true; }
  void ask(std::uint32_t, std::uint32_t, Bytes) override { throw Error(Fault::no_job, "no EXEC"); }
  void poll(ExecutiveSink&) override {}
  void report_failure(int, std::string_view, Call const&) override {}
  void quit(int code) override { throw Quit{code}; }

 private:
  bool& leaving_;
};

class Network {
 public:
  explicit Network(std::size_t size, Traits traits = {});
  Process& operator[](std::size_t i) { return *processes_[i]; }
  /// Lets all processes move until nothing happens any more.
  void run_until_quiet();
  void kill(std::size_t i) { dead_[i] = true; }
  bool alive(std::size_t i) { return !dead_[i]; }
  /// Whether EXEC was notified that it leaves.
  bool reported_leaving(std::size_t i) { return leaving_[i]; }
  /// Runs `body` and leave() once per process, together, after which they are dead; rethrows the
  /// exception of any of them.
  void run(std::function<void(Process&)> const& body);
  std::size_t exposures() const { return exposed_.size(); }
  /// As if the memory of those that have ended were another's by now.
  void forget_exposures() { exposed_.clear(); }
  /// Places where messages are expected whole, and bytes that are lent for that.
  std::size_t direct_receives() const { return direct_receives_.size(); }
  std::size_t lent() const { return lent_; }
  /// Messages that have come so.
  std::size_t brought() const { return brought_; }
  /// How often a member has woken others at a board.
  std::size_t board_wakes() const { return board_wakes_; }
  std::size_t boards() const { return boards_.size(); }
  /// The memory of the first one.
  std::byte* board() { return boards_.begin()->second->bytes.data(); }
  /// Overwrites all boards.
  void damage_boards() {
    for (auto& [key, board] : boards_) std::ranges::fill(board->bytes, std::byte{0x5a});
  }
  /// Packets that have gone to many at once.
  std::size_t multicasts() const { return multicasts_; }
  /// The process is on another host than the others.
  void move_away(std::size_t i);
  /// The row says this of the process so far.
  void set_unix_pid(std::size_t i, std::int32_t pid, RankState state);

  Traits traits;
  std::size_t largest_queue = 0;

 private:
  friend class QueuePort;
  struct Exposure {
    Bytes bytes{};
    Buffer copy{};
    bool copied = false;
  };
  struct DirectReceive {
    std::size_t at = 0;
    Rank from{};
    TransferId transfer{};
    Scatter room{};
    bool filled = false;
  };
  struct alignas(64) Board {
    std::array<std::byte, Boards::size> bytes{};
    std::size_t left = 0;
  };
  using Pair = std::pair<std::size_t, std::size_t>;

  void pass_turn(std::size_t me);
  void await_turn(std::unique_lock<std::mutex>& lock, std::size_t me);
  void next_turn();

  std::vector<std::byte> table_;
  std::map<Pair, std::deque<Packet>> queues_;
  std::map<std::uint64_t, Exposure> exposed_;
  std::map<std::size_t, bool> dead_;
  std::map<std::size_t, bool> leaving_;
  std::map<Pair, bool> reported_ends_;
  std::map<std::uint64_t, DirectReceive> direct_receives_;
  std::size_t lent_ = 0;
  std::size_t brought_ = 0;
  std::size_t multicasts_ = 0;
  std::map<std::uint64_t, std::unique_ptr<Board>> boards_;
  std::map<std::uint64_t, std::weak_ptr<std::byte>> common_memory_;
  std::size_t board_wakes_ = 0;
  std::uint64_t next_exposure_ = 1;
  std::uint64_t moves_ = 0;
  std::mutex mutex_;
  std::condition_variable turned_;
  std::size_t turn_ = 0;
  std::vector<bool> running_;  ///< by process; empty outside run()
  std::uint64_t fruitless_ = 0;
  std::vector<std::unique_ptr<Process>> processes_;
};

template <class T>
requires requires(T const& text) { text.data(); }
Bytes bytes(T const& text) { return std::as_bytes(std::span{text.data(), text.size()}); }

inline std::string text(Bytes bytes) {
  return {reinterpret_cast<char const*>(bytes.data()), bytes.size()};
}

/// A group of all ranks, as a front end makes it.
struct AllRanks {
  std::vector<Rank> ranks;
  explicit AllRanks(std::size_t size) {
    for (std::size_t i = 0; i < size; ++i) ranks.push_back(Rank{static_cast<std::int32_t>(i)});
  }
  Group group(Process& me, Context context = context_of(Space::collective, 0)) const {
    return {.members = ranks, .me = index(me.rank()), .context = context};
  }
};

}  // namespace earl::test
