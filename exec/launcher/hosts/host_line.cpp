// SPDX-License-Identifier: BSD-3-Clause
#include "exec/launcher/hosts/host_line.hpp"

#include <sys/epoll.h>
#include <sys/socket.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "generic/system/sockets.hpp"

namespace earl::exec {

namespace {

/// A host that has not confirmed a ping for so long is gone. The system confirms, not the process
/// there, which may be slow; but not when its receive buffer is full.
constexpr int most_silence = 500;  // milliseconds
constexpr int receive_buffer = 1 << 20;
constexpr int readings_per_turn = 8;

bool only_later(int error) { return error == EAGAIN || error == EWOULDBLOCK || error == EINTR; }

}  // namespace

HostLine::HostLine(Loop& loop, AuthenticatedSocket connection, LineListener& listener)
    : loop_(loop),
      listener_(listener),
      socket_(std::move(connection.socket)),
      sealer_(connection.outgoing, Protection::encrypted),
      opener_(connection.incoming, Protection::encrypted, control::most_packet) {
  set_nodelay(socket_.get());
  set_user_timeout(socket_.get(), most_silence);
  set_receive_buffer(socket_.get(), receive_buffer);
  loop_.watch(socket_.get(), EPOLLIN, [this](std::uint32_t events) { ready(events); });
}

std::string HostLine::own_address() const { return host_text(own_end(socket_.get())); }

void HostLine::send(control::Type type, Bytes body) {
  if (!socket_) return;
  for (auto const& packet : control::packets_of(type, 0, 0, body))
    outgoing_.emplace_back(Gather{sealer_.seal(Gather{packet.bytes()})});
  if (!waits_to_write_) flush();
}

void HostLine::flush() {
  int error = 0;
  while (!outgoing_.empty() && error == 0) {
    auto const rest = outgoing_.front().bytes().subspan(sent_);
    auto const sent = ::send(socket_.get(), rest.data(), rest.size(), MSG_NOSIGNAL);
    error = sent < 0 ? errno : 0;
    if (sent > 0) sent_ += static_cast<std::size_t>(sent);
    if (sent_ < outgoing_.front().size()) continue;
    outgoing_.pop_front();
    sent_ = 0;
  }
  if (error != 0 && !only_later(error)) {  // reading will detect it
    outgoing_.clear();
    sent_ = 0;
  }
  bool const waits = !outgoing_.empty();
  if (waits != waits_to_write_) loop_.change(socket_.get(), waits ? EPOLLIN | EPOLLOUT : EPOLLIN);
  waits_to_write_ = waits;
}

void HostLine::hang_up() {
  if (socket_) ::shutdown(socket_.get(), SHUT_WR);
}

void HostLine::close() {
  if (!socket_) return;
  loop_.remove(socket_.get());
  socket_.close();
  outgoing_.clear();
}

void HostLine::end(std::string const& why) {
  close();
  listener_.on_line_ended(why);
}

void HostLine::ready(std::uint32_t events) {
  if ((events & EPOLLOUT) != 0) flush();
  for (int i = 0; i < readings_per_turn && socket_; ++i)
    if (!receive()) return;
}

/// False: nothing more is there now.
bool HostLine::receive() {
  auto const got = ::recv(socket_.get(), room_.data() + have_, room_.size() - have_, 0);
  if (got < 0 && only_later(errno)) return false;
  if (got <= 0) {
    // A peer that closes its end before it has read everything resets the connection.
    auto const disconnected = got == 0 || errno == ECONNRESET;
    end(disconnected ? "the other end closed the connection" : system_message(errno));
    return false;
  }
  have_ += static_cast<std::size_t>(got);
  try {
    return take_packets();
  } catch (Error const& error) {
    end(error.what());
    return false;
  }
}

/// False: the line was closed meanwhile.
bool HostLine::take_packets() {
  std::size_t at = 0;
  while (true) {
    auto const next = opener_.open(MutableBytes{room_}.subspan(at, have_ - at));
    if (next.state == FrameOpener::Opened::State::incomplete) break;
    if (next.state == FrameOpener::Opened::State::damaged)
      throw Error(
          "data on its connection was altered in transit; look for a proxy or a network card that "
          "changes packets between these hosts");
    auto message = incoming_.take(next.frame);
    at += next.taken;
    if (message) listener_.on_host_message(std::move(*message));
    if (!socket_) return false;
  }
  std::memmove(room_.data(), room_.data() + at, have_ - at);
  have_ -= at;
  return true;
}

}  // namespace earl::exec
