// SPDX-License-Identifier: BSD-3-Clause
#include "backends/net/tcp/connection.hpp"

#include <linux/sockios.h>
#include <sys/epoll.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/uio.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <utility>

#include "generic/base/error.hpp"
#include "generic/base/iovecs.hpp"

namespace earl::tcp {

namespace {

constexpr char const* closed_by_peer = "the other end closed the connection";

bool only_later(int error) { return error == EAGAIN || error == EWOULDBLOCK || error == EINTR; }

/// Like sendmsg(2), without a signal.
ssize_t send_pieces(int socket, std::span<iovec const> pieces) {
  msghdr message{};
  message.msg_iov = const_cast<iovec*>(pieces.data());
  message.msg_iovlen = pieces.size();
  return ::sendmsg(socket, &message, MSG_NOSIGNAL);
}

/// A word of the handshake, which fits into a socket's empty buffer.
bool write_word(int socket, Bytes word) {
  return ::send(socket, word.data(), word.size(), MSG_NOSIGNAL) ==
         static_cast<ssize_t>(word.size());
}

/// Time limit of a handshake; the peer's system takes part in it, whatever the process there does.
constexpr int most_silence = 5'000;  // milliseconds
constexpr int any_silence = 0;

}  // namespace

Outgoing::Outgoing(SocketAddress const& to) : socket_(connect_to(to)) {
  set_user_timeout(socket_.get(), most_silence);
}

void Outgoing::break_off(std::string reason) {
  lossy_ = state_ == State::open;
  state_ = State::broken;
  reason_ = std::move(reason);
  waiting_.clear();
  socket_.close();
}

/// True: the whole word is there.
template <class Word>
bool Outgoing::receive(Word& word) {
  std::array<std::byte, sizeof(Word)> room{};
  auto const got = ::recv(socket_.get(), room.data(), sizeof word - received_.size(), 0);
  if (got < 0 && only_later(errno)) return false;
  if (got <= 0) {
    break_off(got == 0 ? closed_by_peer : system_message(errno));
    return false;
  }
  received_.insert(received_.end(), room.begin(), room.begin() + got);
  if (received_.size() < sizeof word) return false;
  std::memcpy(&word, received_.data(), sizeof word);
  received_.clear();
  return true;
}

void Outgoing::go_on(HandshakeIdentities const& identities) {
  if (state_ == State::open) {
    if (disconnected()) return break_off(closed_by_peer);
    full_ = false;
    return flush();
  }
  if (state_ != State::broken) shake_hands(identities);
}

void Outgoing::shake_hands(HandshakeIdentities const& identities) {
  auto const& [secret, protection] = identities.trust;
  if (state_ == State::connecting) {
    if (auto const error = connect_error(socket_.get()); error != 0)
      return break_off(system_message(error));
    set_nodelay(socket_.get());
    enable_keepalive(socket_.get());
    state_ = State::challenged;
  }
  if (state_ == State::challenged) {
    if (!receive(challenge_)) return;
    if (!is_challenge(challenge_)) return break_off("the listener there is not a process of Earl");
    claim_ = claim(secret, challenge_, number(identities.from), number(identities.to));
    if (!write_word(socket_.get(), bytes_of(claim_))) return break_off(system_message(errno));
    state_ = State::claimed;
  }
  Proof proof;
  if (state_ != State::claimed || !receive(proof)) return;
  if (!verifies(secret, challenge_, claim_, proof))
    return break_off("the process there does not know this job's secret");
  set_user_timeout(socket_.get(), any_silence);  // a process that does not read is silent, too
  if (protection != Protection::none)
    sealer_.emplace(session_keys(secret, challenge_, claim_).from_caller, protection);
  state_ = State::open;
}

void Outgoing::flush() {
  while (!waiting_.empty()) {
    auto const sent = ::send(socket_.get(), waiting_.data(), waiting_.size(), MSG_NOSIGNAL);
    if (sent < 0 && only_later(errno)) return;
    if (sent < 0) return break_off(system_message(errno));
    waiting_.erase(waiting_.begin(), waiting_.begin() + sent);
  }
}

bool Outgoing::send(Gather const& frame) {
  if (state_ == State::open && !waiting_.empty()) flush();
  if (state_ != State::open || !waiting_.empty()) return false;
  if (sealer_) return send_sealed(frame);
  FramePrefix const prefix{.length = static_cast<std::uint32_t>(frame.size())};
  Iovecs const pieces(bytes_of(prefix), frame);
  auto const sent = send_pieces(socket_.get(), pieces.all());
  full_ = sent < 0 && only_later(errno);
  if (full_) return false;
  if (sent < 0) {
    break_off(system_message(errno));
    return false;
  }
  // The unsent rest goes later, from here.
  auto past = static_cast<std::size_t>(sent);
  for (auto const& piece : pieces.all()) {
    auto const skip = std::min(past, piece.iov_len);
    auto const* const bytes = static_cast<std::byte const*>(piece.iov_base);
    waiting_.insert(waiting_.end(), bytes + skip, bytes + piece.iov_len);
    past -= skip;
  }
  return true;
}

/// A sealed frame has its place in the order and goes, at once or later.
bool Outgoing::send_sealed(Gather const& frame) {
  auto const sealed = sealer_->seal(frame);
  auto const sent = ::send(socket_.get(), sealed.data(), sealed.size(), MSG_NOSIGNAL);
  if (sent < 0 && !only_later(errno)) {
    break_off(system_message(errno));
    return false;
  }
  waiting_.assign(sealed.begin() + std::max<ssize_t>(sent, 0), sealed.end());
  return true;
}

std::uint32_t Outgoing::events() const {
  switch (state_) {
    case State::connecting:
      return EPOLLOUT;
    case State::challenged:
    case State::claimed:
      return EPOLLIN;
    case State::open:
      return waiting_.empty() && !full_ ? 0U : std::uint32_t{EPOLLOUT};
    default:
      return 0;
  }
}

bool Outgoing::all_acknowledged() const {
  if (state_ != State::open) return true;
  int unconfirmed = 0;
  if (!waiting_.empty()) return false;
  if (::ioctl(socket_.get(), SIOCOUTQ, &unconfirmed) != 0 || unconfirmed == 0) return true;
  return disconnected();  // it will never confirm the rest
}

/// Nothing is ever said to this end.
bool Outgoing::disconnected() const {
  std::byte nothing{};
  auto const got = ::recv(socket_.get(), &nothing, sizeof nothing, MSG_PEEK | MSG_DONTWAIT);
  return got == 0 || (got < 0 && !only_later(errno));
}

Incoming::Incoming(Descriptor socket, Protection protection)
    : socket_(std::move(socket)),
      protection_(protection),
      challenge_(challenge()),
      room_(sizeof(Claim)) {
  set_nodelay(socket_.get());
  enable_keepalive(socket_.get());
  if (!write_word(socket_.get(), bytes_of(challenge_))) close(closed_by_peer);
}

void Incoming::close(std::string reason) {
  state_ = State::closed;
  reason_ = std::move(reason);
  socket_.close();
  room_ = {};
}

std::size_t Incoming::receive(Secret const& secret, Rank me, Frame const& frame) {
  if (state_ == State::closed) return 0;
  auto const got = ::recv(socket_.get(), room_.data() + have_, room_.size() - have_, 0);
  if (got < 0 && only_later(errno)) return 0;
  if (got <= 0) {
    // Where a third party may close it, EXEC must say that this process has ended.
    bool const orderly = got == 0 && have_ == 0 && state_ == State::open && !is_protected();
    close(orderly ? "" : got == 0 ? closed_by_peer : system_message(errno));
    return 0;
  }
  have_ += static_cast<std::size_t>(got);
  if (state_ == State::open) return hand_over(frame);
  judge_claim(secret, me);
  return 0;
}

void Incoming::judge_claim(Secret const& secret, Rank me) {
  if (have_ < sizeof(Claim)) return;
  Claim claim;
  std::memcpy(&claim, room_.data(), sizeof claim);
  if (!verifies(secret, challenge_, claim) || claim.to != number(me))
    return close("it does not know this job's secret");
  if (!write_word(socket_.get(), bytes_of(proof(secret, challenge_, claim))))
    return close(closed_by_peer);
  opener_.emplace(session_keys(secret, challenge_, claim).from_caller, protection_, largest_frame);
  from_ = Rank{claim.from};
  state_ = State::open;
  have_ = 0;
  room_.resize(2 * (frame_overhead(protection_) + largest_frame));
}

std::size_t Incoming::hand_over(Frame const& frame) {
  std::size_t count = 0;
  std::size_t at = 0;
  while (true) {
    auto const next = opener_->open(MutableBytes{room_}.subspan(at, have_ - at));
    if (next.state == FrameOpener::Opened::State::incomplete) break;
    if (next.state == FrameOpener::Opened::State::damaged) {
      tampered_with_ = is_protected();
      close("it sent bytes that are no frame");
      return count;
    }
    frame(next.frame);
    ++count;
    at += next.taken;
  }
  std::memmove(room_.data(), room_.data() + at, have_ - at);
  have_ -= at;
  return count;
}

}  // namespace earl::tcp
