// SPDX-License-Identifier: BSD-3-Clause
#include "exec/launcher/commands/session_client.hpp"

#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <cerrno>

#include "exec/runtime/session_server.hpp"
#include "exec/runtime/shared_process.hpp"

namespace earl::exec {

SessionClient::SessionClient(std::string_view name)
    : name_(name), channel_(boot::connect_session_server(name)) {
  if (!channel_) throw SessionGone("{}", boot::no_such_session(name));
  welcomed(next_message());
  std::array const outlets{STDOUT_FILENO, STDERR_FILENO};
  const control::Hello hello{.unix_pid = ::getpid(), .front_end = "earl"};
  send(control::Type::hello, {}, control::body_of(hello).bytes(), outlets);
}

void SessionClient::welcomed(control::Message const& message) {
  if (message.type != control::Type::welcome || handed_.empty())
    throw Error("unexpected handshake reply of the session server {}", name_);
  rank_ = control::read<control::Welcome>(message.body.bytes()).rank;
  table_ = boot::map_table(handed_);
}

pid_t SessionClient::exec() const {
  auto const peer = peer_of(channel_.get());
  if (peer.pid == 0)
    throw Error("the line to the session server of {}: {}", name_, system_message(errno));
  return peer.pid;
}

control::Message SessionClient::next_message() {
  for (;;) {
    pollfd line{.fd = channel_.get(), .events = POLLIN, .revents = 0};
    if (::poll(&line, 1, -1) < 0 && errno != EINTR)
      throw Error("the line to the session server of {}: {}", name_, system_message(errno));
    auto arrival = receive_packet(channel_.get(), room_);
    if (arrival.what == ReceiveStatus::end)
      throw SessionGone("the session server of {} has gone, and all that ran in it", name_);
    if (arrival.what == ReceiveStatus::nothing) continue;
    if (!arrival.descriptors.empty()) handed_ = std::move(arrival.descriptors);
    if (auto message = assembler_.take(Bytes{room_}.first(arrival.size)))
      return std::move(*message);
  }
}

void SessionClient::send(control::Type type, Operation operation, Bytes body,
                         std::span<int const> descriptors) {
  for (auto const& packet :
       control::packets_of(type, 1, static_cast<std::uint32_t>(operation), body))
    if (auto const failed = send_packet(channel_.get(), packet.bytes(), descriptors, 0))
      throw SessionGone("the line to the session server of {}: {}", name_, system_message(failed));
}

Buffer SessionClient::round_trip(Operation operation, Bytes request) {
  send(control::Type::request, operation, request, {});
  for (;;)
    if (auto message = next_message(); message.type == control::Type::answer)
      return std::move(message.body);
}

}  // namespace earl::exec
