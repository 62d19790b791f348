/// The packet engine: what makes packets of the core's out of frames of a link. It numbers and sums
/// them, bounds what is under way to each peer, and ends the job when a frame is damaged or
/// missing, as BIP promises.
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "backends/myrinet/link.hpp"
#include "generic/port.hpp"
#include "generic/window.hpp"

namespace earl::myrinet {

/// In front of every packet's header.
struct Preamble {
  std::uint32_t sum = 0;       ///< CRC-32C of all that follows; 0 where the link is trusted
  std::int32_t dest = 0;       ///< a Rank: a wrong route leads to somebody else
  std::uint64_t sequence = 0;  ///< frames from there to here before this one
  std::uint64_t consumed = 0;  ///< bytes of packets taken from the receiver so far: its credit
};
static_assert(sizeof(Preamble) == 24);

class Engine final : public FrameSink {
 public:
  Engine(Link& link, Rank me);

  std::size_t largest_packet() const { return largest_packet_; }
  /// As Port::put().
  [[nodiscard]] bool send(Rank to, Header const& header, Gather const& payload);
  /// As Port::poll(). Throws Error when a frame is not what its sender sent, or is missing.
  std::size_t progress(PacketSink& sink, std::size_t most);

  /// Whether room has come for a send() that had none since this was asked last.
  bool room_came() { return std::exchange(room_came_, false); }

  /// Whether somebody has not said that it has got everything, on a link that may lose.
  bool unanswered() const;
  /// Asks who has not answered, less and less often: a loss at the end of what was sent is found
  /// when something comes after it. To be called when nothing has come for a while.
  void remind();

  /// The last word to who may not have got everything: what was sent before it and is missing will
  /// be missed.
  void say_farewell();

  std::uint64_t lost() const { return lost_; }  ///< packets to processes that were down

  void frame(Rank from, Bytes bytes) override;
  void down(Rank peer, std::string_view why) override;
  void knock() override;

 private:
  struct Peer {
    Rank rank{};
    Window window{};
    std::uint64_t sent = 0;       ///< frames
    std::uint64_t expected = 0;   ///< frames
    bool refused = false;         ///< a packet, because too much is under way
    bool owes = false;            ///< an answer that the link had no room for
    std::uint32_t reminders = 0;  ///< wanted since it was last heard
  };

  Peer& peer(Rank rank);
  bool ship(Peer& to, Header const& header, Gather const& payload);
  void answer(Peer& to);
  void settle_debts();
  bool may_lack(Peer const& peer) const;
  void check(Rank from, Preamble const& preamble, Header const& header, Bytes bytes);

  Link& link_;
  Rank const me_;
  bool const trusted_;
  std::size_t const largest_packet_;
  std::vector<std::unique_ptr<Peer>> peers_;  ///< by rank; null: nothing said yet
  bool room_came_ = false;
  bool in_debt_ = false;        ///< some peer owes an answer
  PacketSink* sink_ = nullptr;  ///< during progress()
  std::uint64_t lost_ = 0;
};

}  // namespace earl::myrinet
