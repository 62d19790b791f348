// SPDX-License-Identifier: BSD-3-Clause
/// One process's connection to all others of a job, over a native library.
#pragma once

#include <atomic>
#include <memory>
#include <vector>

#include "backends/hosted/board.hpp"
#include "backends/hosted/packets.hpp"
#include "backends/hosted/transfers.hpp"
#include "generic/seams/port.hpp"
#include "generic/window.hpp"

namespace earl::hosted_backend {

class LibraryPort final : public Port {
 public:
  /// Enters the library: waits until all processes of the job do. Throws Error when it will not
  /// have this one.
  LibraryPort(std::unique_ptr<Board> board, Rank me, earl_library_calls const& native);

  Limits limits() const override;
  bool put(Rank to, Header const& header, Gather const& payload) override;
  std::size_t poll(PacketSink& sink) override;
  void wait(Deadline deadline) override;
  void wake() override;
  Remote expose(TransferId, Bytes bytes) override { return exposures_.add(bytes); }
  bool copy_exposed(Remote const& remote) override { return exposures_.copy_exposed(remote); }
  bool claimed(Remote const& remote) override { return exposures_.claimed(remote); }
  void unexpose(Remote const& remote) override { exposures_.remove(remote); }
  Pulled pull(Rank from, Offer const& offer, Scatter const& to) override;
  bool ended(Rank rank) override { return board_->has(rank) && has_left(rank); }
  /// Returns when all others have left, too.
  void leave() override;

  /// Packets put to processes that had left.
  std::uint64_t lost() const { return lost_; }

 private:
  struct Peer {
    Rank rank{};
    Window window{};
    std::uint64_t final_mark = 0;  ///< the window's mark when this process leaves
    bool reported = false;         ///< as departed
    bool dead = false;             ///< and the transfers with it have been dropped
  };
  /// The meanings between ports of Header::word in a packet of Kind::none.
  enum class Word : std::uint32_t { credit, answer, fetch, state };

  Peer& peer(Rank rank);
  bool has_left(Rank rank) const { return board_->state(rank) >= ProcessState::departed; }
  void send(Peer& to, Header const& header, Gather const& payload);
  void send_word(Peer& to, Word word, Bytes payload = {});

  std::size_t receive(PacketSink& sink);
  void packet(Bytes packet, PacketSink& sink);
  void handle_packet(Peer& from, Header const& header, Bytes payload);
  std::size_t report_departed(PacketSink& sink);
  bool has_notices() const;
  bool in_transfer() const { return !pulls_.empty() || exposures_.being_read(); }
  void tidy_up();
  void nap(Deadline deadline, std::uint32_t naps);

  void change(ProcessState state);
  void record_peer_state(Rank rank, Bytes payload);
  void move_on();
  void await_delivery();
  void await_others(ProcessState state);
  void carry_all();
  void drain();
  void finalize();

  BoardRow& my_row() const { return board_->row(me_); }

  std::unique_ptr<Board> board_;
  Rank const me_;
  earl_library_calls const& native_;
  Fences const fences_;
  std::vector<Rank> const elsewhere_;  ///< one process of each other host, to notify
  Departures departures_;
  Exposures exposures_;
  Pulls pulls_;
  std::unique_ptr<Arrivals> arrivals_;        ///< null: not inside the library, or not any more
  std::vector<std::unique_ptr<Peer>> peers_;  ///< by rank; null: no contact yet
  std::uint32_t changes_ = 0;                 ///< observed
  std::uint32_t control_notices_ = 0;
  std::uint32_t idle_ = 0;  ///< waits in a row in which nothing came
  bool someone_leaves_ = false;
  bool left_ = false;
  std::atomic<bool> woken_ = false;
  std::uint64_t lost_ = 0;
};

}  // namespace earl::hosted_backend
