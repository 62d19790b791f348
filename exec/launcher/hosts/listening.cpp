// SPDX-License-Identifier: BSD-3-Clause
#include "exec/launcher/hosts/listening.hpp"

#include <arpa/inet.h>
#include <netdb.h>
#include <sys/socket.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <memory>
#include <optional>

#include "exec/launcher/hosts/host_list.hpp"
#include "exec/launcher/plan.hpp"
#include "generic/base/error.hpp"
#include "generic/system/sockets.hpp"

namespace earl::exec {

namespace {

constexpr char const* loopback = "127.0.0.1";

/// Agents find EXEC by IPv4, as processes find each other. Null: this host does not know the name.
std::optional<SocketAddress> endpoint_of(std::string const& host) {
  addrinfo hints{};
  hints.ai_family = AF_INET;
  hints.ai_socktype = SOCK_DGRAM;
  addrinfo* found = nullptr;
  if (::getaddrinfo(host.c_str(), "9", &hints, &found) != 0) return std::nullopt;
  std::unique_ptr<addrinfo, void (*)(addrinfo*)> const owner(found, &::freeaddrinfo);
  SocketAddress endpoint{.size = found->ai_addrlen};
  std::memcpy(&endpoint.address, found->ai_addr, found->ai_addrlen);
  return endpoint;
}

/// This host's address on the way there; no packet is sent. Empty: there is no way.
std::string own_address_towards(SocketAddress const& there) {
  Descriptor const socket(::socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0));
  if (!socket || ::connect(socket.get(), there.generic(), there.size) != 0) return {};
  auto const own = host_text(own_end(socket.get()));
  // No other host can reach that.
  return own.starts_with("127.") ? loopback : own;
}

}  // namespace

void check_listening(std::string const& text) {
  std::array<unsigned char, 16> room{};
  bool const sensible = text == listen_auto || text == listen_any ||
                        ::inet_pton(AF_INET, text.c_str(), room.data()) == 1;
  if (!sensible) throw UsageError("auto, any or an IPv4 address of this host is needed");
}

std::string listening_address(std::string const& wanted, std::vector<RequestedHost> const& hosts) {
  if (wanted == listen_any) return {};
  if (wanted != listen_auto) return wanted;
  std::string address = loopback;
  for (auto const& host : hosts) {
    if (is_this_host(host.name)) continue;
    auto const there = endpoint_of(host.name);
    auto const own = there ? own_address_towards(*there) : std::string{};
    if (own.empty()) return {};
    if (own == address || own == loopback) continue;
    if (address != loopback) return {};
    address = own;
  }
  return address;
}

}  // namespace earl::exec
