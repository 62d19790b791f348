/// The two ends of a connection between two processes. Data goes one way only, from who connected:
/// then nothing unread is left at that end when its process ends, and the system still delivers
/// what it had taken.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "generic/descriptor.hpp"
#include "generic/keyed.hpp"
#include "generic/sockets.hpp"
#include "generic/values.hpp"

namespace earl::tcp {

inline constexpr std::size_t largest_frame = 32 * 1024;

/// In front of every frame.
struct Prefix {
  std::uint32_t length = 0;  ///< of the frame, bytes
  std::uint32_t zero = 0;
};

/// Who both ends are and what they know.
struct Parties {
  Secret const& secret;
  Rank from{};
  Rank to{};
};

/// The end that frames go into.
class Outgoing {
 public:
  enum class State { connecting, challenged, claimed, open, broken };

  /// Begins to connect. Throws Error.
  explicit Outgoing(Endpoint const& to);

  int socket() const { return socket_.get(); }
  State state() const { return state_; }
  /// Takes the next step of the handshake, or sends what waits.
  void go_on(Parties const& parties);
  /// False: no room.
  bool send(Gather const& frame);
  /// What epoll is to look for now.
  std::uint32_t events() const;
  /// All that was sent has been confirmed by the other host, or never will be.
  bool settled() const;
  /// It broke after it had been open: frames may be lost.
  bool lossy() const { return lossy_; }
  /// In words; of a broken one.
  std::string const& reason() const { return reason_; }

 private:
  void shake_hands(Parties const& parties);
  void flush();
  bool hung_up() const;
  void break_off(std::string reason);
  template <class Word>
  bool hear(Word& word);

  Descriptor socket_;
  State state_ = State::connecting;
  Challenge challenge_{};
  Claim claim_{};
  std::vector<std::byte> waiting_{};  ///< the rest of a frame that went in part
  std::vector<std::byte> heard_{};    ///< a word of the handshake, in part
  bool full_ = false;                 ///< there was no room for a byte of the last frame
  bool lossy_ = false;
  std::string reason_{};
};

/// The end that frames come out of.
class Incoming {
 public:
  enum class State { unauthenticated, open, closed };
  using Frame = std::function<void(Bytes)>;

  /// Says the challenge. `socket` has been accepted.
  explicit Incoming(Descriptor socket);

  int socket() const { return socket_.get(); }
  State state() const { return state_; }
  /// Who is at the other end; once open.
  Rank from() const { return from_; }
  /// Why it closed, in words. Empty: as it should, between two frames.
  std::string const& reason() const { return reason_; }
  /// Takes in what is there, at most one filling of its room. Says how many frames it handed over.
  std::size_t receive(Secret const& secret, Rank me, Frame const& frame);

 private:
  void judge_claim(Secret const& secret, Rank me);
  std::size_t hand_over(Frame const& frame);
  void close(std::string reason);

  Descriptor socket_;
  State state_ = State::unauthenticated;
  Challenge challenge_{};
  Rank from_ = no_rank;
  std::string reason_{};
  std::vector<std::byte> room_;
  std::size_t have_ = 0;
};

}  // namespace earl::tcp
