// SPDX-License-Identifier: BSD-3-Clause
#include "generic/system/sockets.hpp"

#include <arpa/inet.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>

#include <array>
#include <cerrno>

#include "generic/base/error.hpp"
#include "generic/base/number.hpp"

namespace earl {

namespace {

/// An address and a port in digits, without getaddrinfo(), which takes memory from the program's
/// heap.
std::optional<SocketAddress> plain(std::string const& host, std::string const& port) {
  auto const number = number_from<std::uint16_t>(port);
  if (!number) return std::nullopt;
  SocketAddress endpoint{};
  sockaddr_in four{
      .sin_family = AF_INET, .sin_port = htons(*number), .sin_addr = {}, .sin_zero = {}};
  if (::inet_pton(AF_INET, host.c_str(), &four.sin_addr) == 1) {
    std::memcpy(&endpoint.address, &four, endpoint.size = sizeof four);
    return endpoint;
  }
  sockaddr_in6 six{};
  six.sin6_family = AF_INET6;
  six.sin6_port = htons(*number);
  if (::inet_pton(AF_INET6, host.c_str(), &six.sin6_addr) != 1) return std::nullopt;
  std::memcpy(&endpoint.address, &six, endpoint.size = sizeof six);
  return endpoint;
}

std::optional<SocketAddress> resolve(std::string const& host, std::string const& port, int flags) {
  if (auto const endpoint = plain(host, port)) return endpoint;
  addrinfo hints{};
  hints.ai_family = AF_UNSPEC;
  hints.ai_socktype = SOCK_STREAM;
  hints.ai_flags = flags | AI_NUMERICHOST | AI_NUMERICSERV;
  addrinfo* found = nullptr;
  if (::getaddrinfo(host.empty() ? nullptr : host.c_str(), port.c_str(), &hints, &found) != 0)
    return std::nullopt;
  SocketAddress endpoint{.size = found->ai_addrlen};
  std::memcpy(&endpoint.address, found->ai_addr, found->ai_addrlen);
  ::freeaddrinfo(found);
  return endpoint;
}

Descriptor tcp_socket(int family) {
  Descriptor socket(::socket(family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, IPPROTO_TCP));
  if (!socket) throw Error(Fault::full, "no TCP socket: {}", system_message(errno));
  return socket;
}

struct NumericAddress {
  std::array<char, NI_MAXHOST> host{};
  std::array<char, NI_MAXSERV> port{};
};

NumericAddress numeric_address(SocketAddress const& endpoint) {
  NumericAddress address;
  ::getnameinfo(endpoint.generic(), endpoint.size, address.host.data(), address.host.size(),
                address.port.data(), address.port.size(), NI_NUMERICHOST | NI_NUMERICSERV);
  return address;
}

void set(int socket, int level, int option, int value) {
  ::setsockopt(socket, level, option, &value, sizeof value);
}

}  // namespace

std::optional<SocketAddress> socket_address_from(std::string_view text) {
  auto const colon = text.rfind(':');
  if (colon == std::string_view::npos || colon == 0) return std::nullopt;
  auto host = text.substr(0, colon);
  if (host.front() == '[' && host.back() == ']') host = host.substr(1, host.size() - 2);
  if (host.empty()) return std::nullopt;
  return resolve(std::string(host), std::string(text.substr(colon + 1)), 0);
}

std::string to_text(SocketAddress const& endpoint) {
  auto const address = numeric_address(endpoint);
  if (endpoint.address.ss_family == AF_INET6)
    return fmt::format("[{}]:{}", address.host.data(), address.port.data());
  return fmt::format("{}:{}", address.host.data(), address.port.data());
}

std::string host_text(SocketAddress const& endpoint) {
  return numeric_address(endpoint).host.data();
}

SocketAddress own_end(int socket) {
  SocketAddress endpoint{.size = sizeof endpoint.address};
  if (::getsockname(socket, reinterpret_cast<sockaddr*>(&endpoint.address), &endpoint.size) != 0)
    throw Error("a socket without an address: {}", system_message(errno));
  return endpoint;
}

Descriptor listen_at(std::string const& host) {
  auto const endpoint = resolve(host.empty() ? "0.0.0.0" : host, "0", AI_PASSIVE);
  if (!endpoint) throw Error("{} is no address to listen at", host);
  auto socket = tcp_socket(endpoint->address.ss_family);
  if (::bind(socket.get(), endpoint->generic(), endpoint->size) != 0 ||
      ::listen(socket.get(), SOMAXCONN) != 0)
    throw Error("listening at {}: {}", to_text(*endpoint), system_message(errno));
  return socket;
}

Descriptor accept_from(int listener) {
  for (;;) {
    Descriptor socket(::accept4(listener, nullptr, nullptr, SOCK_CLOEXEC | SOCK_NONBLOCK));
    if (socket) return socket;
    if (errno == EMFILE || errno == ENFILE)
      throw Error(Fault::full, "no descriptor for one more connection: {}", system_message(errno));
    if (errno == EAGAIN || errno == EINVAL || errno == EBADF) return {};
  }
}

Descriptor connect_to(SocketAddress const& endpoint) {
  auto socket = tcp_socket(endpoint.address.ss_family);
  // connect_error(), too, reports an immediate failure: the socket has no other end.
  static_cast<void>(::connect(socket.get(), endpoint.generic(), endpoint.size));
  return socket;
}

int connect_error(int socket) {
  int error = 0;
  socklen_t size = sizeof error;
  ::getsockopt(socket, SOL_SOCKET, SO_ERROR, &error, &size);
  if (error != 0) return error;
  sockaddr_storage peer{};
  size = sizeof peer;
  return ::getpeername(socket, reinterpret_cast<sockaddr*>(&peer), &size) == 0 ? 0 : ENOTCONN;
}

void set_nodelay(int socket) { set(socket, IPPROTO_TCP, TCP_NODELAY, 1); }

void set_user_timeout(int socket, int milliseconds) {
  set(socket, IPPROTO_TCP, TCP_USER_TIMEOUT, milliseconds);
}

void set_receive_buffer(int socket, int size) { set(socket, SOL_SOCKET, SO_RCVBUF, size); }

void enable_keepalive(int socket) {
  constexpr int silence = 3;  // seconds
  constexpr int questions = 4;
  set(socket, SOL_SOCKET, SO_KEEPALIVE, 1);
  set(socket, IPPROTO_TCP, TCP_KEEPIDLE, silence);
  set(socket, IPPROTO_TCP, TCP_KEEPINTVL, 1);
  set(socket, IPPROTO_TCP, TCP_KEEPCNT, questions);
}

}  // namespace earl
