// SPDX-License-Identifier: BSD-3-Clause
#include "backends/myrinet/cables/attaching.hpp"

#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <thread>
#include <utility>

#include "generic/base/error.hpp"
#include "generic/system/unix_socket.hpp"

namespace earl::myrinet::cables {

namespace {

constexpr int backlog = 16;
/// The longest time from a network's start until it listens.
constexpr auto start_timeout = std::chrono::seconds{2};
/// The longest time that a client may take to send its request.
constexpr auto request_timeout = std::chrono::seconds{2};
constexpr auto retry_interval = std::chrono::milliseconds{10};

/// "earl-myrinet-", the user, "-", the name.
AbstractName address_of(std::string const& name) {
  if (name.empty() || name.size() > max_name_length || name.find('/') != std::string::npos)
    throw Error("'{}' is not a valid name of a network: 1 to {} characters, and no '/'", name,
                max_name_length);
  return AbstractName(fmt::format("earl-myrinet-{}-{}", ::geteuid(), name));
}

Descriptor new_socket() {
  Descriptor socket(::socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0));
  if (!socket) throw Error("cannot create a socket for the network: {}", system_message(errno));
  return socket;
}

}  // namespace

Descriptor listen_as_network(std::string const& name) {
  auto const address = address_of(name);
  auto socket = new_socket();
  if (::bind(socket.get(), address.generic(), address.size) != 0) {
    if (errno == EADDRINUSE)
      throw Error(
          "cannot create the network {}: it exists; end its earl-myrinet, or choose another name",
          name);
    throw Error("the network {}: {}", name, system_message(errno));
  }
  if (::listen(socket.get(), backlog) != 0)
    throw Error("the network {}: {}", name, system_message(errno));
  return socket;
}

Descriptor accept_same_user(int listener) {
  Descriptor connection(::accept4(listener, nullptr, nullptr, SOCK_CLOEXEC));
  if (!connection || !is_of_this_user(connection.get())) return {};
  timeval const timeout{.tv_sec = request_timeout.count(), .tv_usec = 0};
  ::setsockopt(connection.get(), SOL_SOCKET, SO_RCVTIMEO, &timeout, sizeof timeout);
  return connection;
}

/// A network that was started in the background just now may not listen yet.
Descriptor connect_to_network(std::string const& name) {
  auto const address = address_of(name);
  auto socket = new_socket();
  auto const deadline = std::chrono::steady_clock::now() + start_timeout;
  while (::connect(socket.get(), address.generic(), address.size) != 0) {
    if (errno == ECONNREFUSED && std::chrono::steady_clock::now() < deadline) {
      std::this_thread::sleep_for(retry_interval);
      continue;
    }
    if (errno == ECONNREFUSED)
      throw Error("there is no network {}; earl-myrinet {} TOPOLOGY starts it", name, name);
    throw Error("the network {}: {}", name, system_message(errno));
  }
  if (!is_of_this_user(socket.get()))
    throw Error("cannot use the network {}: it belongs to another user; choose another name", name);
  return socket;
}

void send_message(int connection, std::string_view text, std::span<int const> descriptors) {
  if (text.empty()) text = {"", 1};  // recvmsg() gives 0 for an empty packet and for the end
  static_cast<void>(send_packet(connection,
                                std::as_bytes(std::span{text.substr(0, max_message_bytes - 1)}),
                                descriptors, MSG_DONTWAIT));
}

std::optional<Message> receive_message(int connection) {
  std::array<char, max_message_bytes> text{};
  auto packet = receive_packet(connection, std::as_writable_bytes(std::span{text}), 0);
  if (packet.what != ReceiveStatus::packet) return std::nullopt;
  return Message{.text = {text.data(), ::strnlen(text.data(), packet.size)},
                 .descriptors = std::move(packet.descriptors)};
}

}  // namespace earl::myrinet::cables
