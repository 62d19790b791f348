// SPDX-License-Identifier: BSD-3-Clause
/// The link over libfabric, which reaches Myrinet's successors: one endpoint for each process,
/// reliable datagrams. It uses only the features that are common to all providers: messages in
/// order from one endpoint to another. Providers differ in matching, probing and synchronous
/// sending.
#pragma once

#include <atomic>
#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <vector>

#include "backends/net/link.hpp"
#include "backends/net/ofi/board.hpp"
#include "backends/net/ofi/moves.hpp"
#include "backends/net/ofi/poll_descriptor.hpp"
#include "generic/base/rank_table.hpp"
#include "generic/system/bell.hpp"

namespace earl::net::ofi {

/// Providers that make two transfers of a longer one begin at 16 KiB.
inline constexpr std::size_t largest_frame = 15 * 1024;

/// While a long message moves, some providers report no event although there is more to do. By then
/// several megabytes have gone.
inline constexpr std::chrono::milliseconds transfer{1};

/// In front of every frame.
struct Prefix {
  std::uint64_t key = 0;  ///< of the job: others may have had this address before
  std::int32_t from = 0;  ///< a Rank: the library does not say
  std::int32_t to = 0;    ///< a Rank: one that has ended may have had this address before
  /// The tag of transfers that went there before: messages match in order, and some providers
  /// complete a short one before a long one that is ahead of it.
  std::uint64_t number : 56 = 0;
  std::uint64_t word : 8 = 0;  ///< a Word
};

class OfiLink final : public Link {
 public:
  /// Opens an endpoint of `provider`, or of the best there is when that is null. Throws Error.
  OfiLink(std::unique_ptr<Board> board, Bell bell, Rank me, earl_ofi_calls const& calls,
          char const* provider);
  ~OfiLink() override;
  OfiLink(OfiLink const&) = delete;
  OfiLink& operator=(OfiLink const&) = delete;

  LinkFacts facts() const override {
    return {.frame = largest_frame, .trusted = true, .bulk = longest_};
  }
  bool send(Rank to, Gather const& frame) override;
  std::uint64_t post_direct_receive(Rank from, MutableBytes room) override {
    busy_until_ = Clock::now() + transfer;
    return ofi_ ? moves_.receive(ofi_, from, room) : 0;
  }
  void cancel_receive(std::uint64_t number) override {
    if (ofi_) moves_.cancel(ofi_, number);
  }
  void start_direct_send(Rank to, std::uint64_t number, Bytes bytes) override;
  void finish_direct_send(Rank to, std::uint64_t number) override;
  std::size_t progress(FrameSink& sink, std::size_t most) override;
  bool is_down(Rank peer) override;
  void report_down(Rank peer) override {
    if (board_->has(peer) && board_->has_ended(peer)) observe_death(peer);
  }
  std::uint32_t neighbours() override { return board_->head().processes.load(); }
  bool ready() override;
  void sleep(Deadline deadline) override;
  void wake() override;
  int wait_fd() override;
  std::string route_description(Rank to) const override;
  void close(Deadline deadline) override;

 private:
  /// The kind of a frame: the engine's, or part of this link's shutdown.
  enum class Word : std::uint8_t { frame, leaving, leaving_seen };

  struct Peer {
    Rank rank = no_rank;
    Peer* next = nullptr;                               ///< in the table
    std::optional<std::uint64_t> destination{};         ///< null: its address is not known yet
    std::uint64_t sent = 0;                             ///< frames to it
    std::uint64_t taken = 0;                            ///< frames of it
    std::map<std::uint64_t, earl_ofi_arrival> early{};  ///< by number; its turn has not come
    bool answer_pending = false;  ///< the answer to its leaving, for which there was no room
    bool left = false;            ///< it has announced its leaving: no more frames arrive from it
    bool answered = false;        ///< it has answered this process's leaving
    bool end_noticed = false;     ///< it has ended, and waits in dying_
    bool lost = false;            ///< the way to it has failed
  };
  /// A killed process: its sent frames may still be on their way.
  struct Dying {
    Rank rank{};
    Deadline until{};
  };

  /// Something between it and this process has failed; if that is because it has ended, EXEC says
  /// so.
  struct BrokenLink {
    Rank rank{};
    std::string error_text{};
    Deadline until{};
  };

  void part(Peer& peer);
  bool find(Peer& peer);
  bool transmit(Peer& to, Word word, Gather const& frame);
  void shut();
  void drain(Deadline deadline);
  void poll_events();
  bool look_once();
  void link_broke(Rank peer, char const* error_text);
  void judge(FrameSink& sink);
  bool is_here() const { return !frames_.empty() || !finished_.empty(); }
  std::size_t hand_over_landed(FrameSink& sink);
  std::size_t take(FrameSink& sink);
  void hand_over(Peer& from, earl_ofi_arrival const& arrival, FrameSink& sink);
  void repost(earl_ofi_arrival const& arrival);
  void handle_word(Peer& from, Word word);
  void answer(Peer& to);
  void observe_deaths();
  void observe_death(Rank rank);
  std::size_t mark_ended(FrameSink& sink);
  bool all_answered();
  bool is_busy() const;
  bool needs_timed_poll();
  void rearm();
  void keep_moving();
  [[noreturn]] void fail(char const* operation, int error) const;

  BoardRow& my_row() { return board_->row(me_); }

  std::unique_ptr<Board> board_;
  Bell bell_;
  Rank const me_;
  earl_ofi_calls const& calls_;
  earl_ofi_endpoint* ofi_ = nullptr;  ///< null: closed
  RankTable<Peer, &Peer::rank> peers_;
  std::deque<earl_ofi_arrival> frames_;   ///< have come, and are not taken yet
  std::deque<Moves::Finished> finished_;  ///< long messages, likewise
  Moves moves_{calls_};
  Deadline busy_until_{};  ///< with long messages
  std::size_t longest_ = 0;
  std::vector<Dying> dying_;
  std::vector<BrokenLink> broken_;
  BoardNotices notices_;
  bool refused_ = false;          ///< a send had no room since the last sleep
  bool answers_pending_ = false;  ///< some peer has an answer to come
  bool lost_any_ = false;
  std::atomic<bool> woken_ = false;
  std::unique_ptr<PollDescriptor> poll_descriptor_{};  ///< null: not asked for yet
};

}  // namespace earl::net::ofi
