// SPDX-License-Identifier: BSD-3-Clause
/// The two ends of a connection between two processes. Data goes one way only, from the connecting
/// end: then nothing unread is left at that end when its process ends, and the system still
/// delivers the data that it had taken.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "generic/base/keyed.hpp"
#include "generic/base/sealed_frames.hpp"
#include "generic/base/values.hpp"
#include "generic/system/descriptor.hpp"
#include "generic/system/sockets.hpp"

namespace earl::tcp {

inline constexpr std::size_t largest_frame = 32 * 1024;

/// The facts that all ends of a job share.
struct PeerCredentials {
  Secret secret{};
  Protection protection = Protection::none;  ///< of frames
};

/// The identities of both ends, and the shared facts.
struct HandshakeIdentities {
  PeerCredentials const& trust;
  Rank from{};
  Rank to{};
};

/// The end that frames go into.
class Outgoing {
 public:
  enum class State { connecting, challenged, claimed, open, broken };

  /// Begins to connect. Throws Error.
  explicit Outgoing(SocketAddress const& to);

  int socket() const { return socket_.get(); }
  State state() const { return state_; }
  /// Takes the next step of the handshake, or sends waiting data.
  void go_on(HandshakeIdentities const& identities);
  /// False: no room.
  bool send(Gather const& frame);
  /// The events that epoll is to look for now.
  std::uint32_t events() const;
  /// All that was sent has been confirmed by the other host, or never will be.
  bool all_acknowledged() const;
  /// It broke after it had been open: frames may be lost.
  bool lossy() const { return lossy_; }
  /// The reason as text; of a broken one.
  std::string const& reason() const { return reason_; }

 private:
  void shake_hands(HandshakeIdentities const& identities);
  bool send_sealed(Gather const& frame);
  void flush();
  bool disconnected() const;
  void break_off(std::string reason);
  template <class Word>
  bool receive(Word& word);

  Descriptor socket_;
  State state_ = State::connecting;
  Challenge challenge_{};
  Claim claim_{};
  std::optional<FrameSealer> sealer_{};  ///< once open, where frames are protected
  std::vector<std::byte> waiting_{};     ///< the rest of a frame that went in part
  std::vector<std::byte> received_{};    ///< a word of the handshake, in part
  bool full_ = false;                    ///< there was no room for a byte of the last frame
  bool lossy_ = false;
  std::string reason_{};
};

/// The end that frames come out of.
class Incoming {
 public:
  enum class State { unauthenticated, open, closed };
  using Frame = std::function<void(Bytes)>;

  /// Says the challenge. `socket` has been accepted.
  Incoming(Descriptor socket, Protection protection);

  int socket() const { return socket_.get(); }
  State state() const { return state_; }
  /// The rank at the other end; once open.
  Rank from() const { return from_; }
  /// Why it closed, as text. Empty: as it should, between two frames.
  std::string const& reason() const { return reason_; }
  /// It closed because the received bytes differ from the sent ones.
  bool tampered_with() const { return tampered_with_; }
  /// Reads available data, at most one filling of its room. Returns how many frames it handed over.
  std::size_t receive(Secret const& secret, Rank me, Frame const& frame);

 private:
  bool is_protected() const { return protection_ != Protection::none; }
  void judge_claim(Secret const& secret, Rank me);
  std::size_t hand_over(Frame const& frame);
  void close(std::string reason);

  Descriptor socket_;
  Protection const protection_;
  State state_ = State::unauthenticated;
  Challenge challenge_{};
  std::optional<FrameOpener> opener_{};  ///< once open
  Rank from_ = no_rank;
  bool tampered_with_ = false;
  std::string reason_{};
  std::vector<std::byte> room_;
  std::size_t have_ = 0;
};

}  // namespace earl::tcp
