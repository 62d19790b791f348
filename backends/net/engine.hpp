// SPDX-License-Identifier: BSD-3-Clause
/// The packet engine: makes packets of the core out of frames of a link. It numbers and sums them,
/// bounds the frames under way to each peer, and ends the job when a frame is damaged or missing,
/// as BIP promises, or has it sent again.
#pragma once

#include <deque>
#include <string>
#include <utility>

#include "backends/net/direct_receives.hpp"
#include "backends/net/link.hpp"
#include "generic/base/rank_table.hpp"
#include "generic/seams/port.hpp"
#include "generic/window.hpp"

namespace earl::net {

/// In front of every packet's header.
struct Preamble {
  std::uint32_t sum = 0;  ///< CRC-32C of all that follows; 0 where the link is trusted
  std::int32_t dest = 0;  ///< a Rank: a wrong route leads to another process
  /// Frames from there to here before this one; where losses are repaired, frames with a packet.
  std::uint64_t sequence : 48 = 0;
  std::uint64_t round : 16 = 0;  ///< how often the sender had gone back
  std::uint64_t consumed = 0;    ///< bytes of packets taken from the receiver so far: its credit
};
static_assert(sizeof(Preamble) == 24);

/// The handling of a damaged or missing frame.
enum class OnLoss {
  end,     ///< it ends the job
  repair,  ///< its sender goes back to it, and sends it and all behind it again
};

class Engine final : public FrameSink {
 public:
  /// A link that is trusted loses nothing.
  Engine(Link& link, Rank me, OnLoss on_loss = OnLoss::end);

  std::size_t largest_packet() const { return largest_packet_; }
  bool repairs() const { return repairs_; }
  /// Like Port::put().
  [[nodiscard]] bool send(Rank to, Header const& header, Gather const& payload);
  /// Like Port::poll(). Throws Error when a frame differs from the sent one, or is missing and not
  /// to be repaired.
  std::size_t progress(PacketSink& sink, std::size_t most);

  /// Whether room has come for a send() that had none since this was asked last.
  bool take_room_event() { return std::exchange(room_event_, false); }

  /// Whether a peer has not acknowledged everything, on a link that may lose.
  bool unanswered() const;
  /// Sends a request to peers that have not answered, less and less often unless losses are
  /// repaired: a loss of the last frames is found when something comes after them. To be called
  /// when nothing has come for a while.
  void remind();
  /// All living peers have acknowledged everything.
  bool all_is_there() const;

  /// The last frame to peers that may not have got everything: it makes them detect frames that
  /// were sent before it and are missing.
  void announce_end();

  /// Long messages that are to come whole.
  DirectReceives& direct_receives() { return direct_receives_; }

  std::uint64_t lost() const { return lost_; }              ///< packets to processes that were down
  std::uint64_t sent_again() const { return sent_again_; }  ///< frames

  void frame(Rank from, Bytes bytes) override;
  void damaged(std::string const& what) override;
  void landed(std::uint64_t number, bool whole) override;
  void down(Rank peer, std::string_view why) override;
  void on_control_ready() override;

 private:
  /// A packet that may have to be sent again.
  struct Kept {
    std::uint64_t mark = 0;  ///< of the window: reached when the peer has it
    Header header{};
    Buffer payload{};
  };
  struct Peer {
    Rank rank = no_rank;
    Peer* next = nullptr;  ///< in the table
    Window window{};
    std::uint64_t sent = 0;       ///< frames; after going back, those not to be sent again
    std::uint64_t expected = 0;   ///< frames
    bool refused = false;         ///< a packet, because too much is under way
    bool answer_pending = false;  ///< an answer for which the link had no room
    std::uint32_t reminders = 0;  ///< requested since its last frame
    // --- where losses are repaired
    std::deque<Kept> kept{};     ///< packets that it has not acknowledged
    std::uint64_t released = 0;  ///< number of the first of these
    std::uint16_t round = 0;     ///< how often this process went back
    bool lacks = false;          ///< a frame is missing that came after others
    std::uint16_t asked = 0;     ///< the peer's round for which it was asked again

    bool behind() const { return sent < released + kept.size(); }
  };

  bool transmit(Peer& to, Header const& header, Gather const& payload);
  void handle_frame(Peer& source, Header const& header, Bytes payload);
  void handle_word(Peer& source, Header const& header);
  bool next_in_line(Peer& source, Preamble const& preamble, Header const& header);
  void record_consumed(Peer& source, std::uint64_t consumed);
  void go_back(Peer& to, std::uint16_t round);
  void catch_up(Peer& to);
  void answer(Peer& to);
  void send_pending_answers();
  bool may_lack(Peer const& peer) const;
  bool is_due(std::uint32_t reminder) const;
  bool check(Rank from, Preamble const& preamble, Header const& header, Bytes bytes);

  Link& link_;
  Rank const me_;
  bool const trusted_;
  bool const repairs_;
  std::size_t const largest_packet_;
  RankTable<Peer, &Peer::rank> peers_;  ///< that are not gone
  DirectReceives direct_receives_{link_};
  bool room_event_ = false;
  bool answers_pending_ = false;  ///< some peer has an answer to come, or a packet again
  PacketSink* sink_ = nullptr;    ///< during progress()
  std::uint64_t lost_ = 0;
  std::uint64_t sent_again_ = 0;
};

}  // namespace earl::net
