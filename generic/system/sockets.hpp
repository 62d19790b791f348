// SPDX-License-Identifier: BSD-3-Clause
/// TCP sockets between the processes and hosts of a job. All are close-on-exec and never block.
#pragma once

#include <sys/socket.h>

#include <optional>
#include <string>
#include <string_view>

#include "generic/base/bytes.hpp"
#include "generic/system/descriptor.hpp"

namespace earl {

/// One end of a connection, numerical: no name is looked up.
struct SocketAddress {
  sockaddr_storage address{};
  socklen_t size = 0;

  sockaddr const* generic() const { return reinterpret_cast<sockaddr const*>(&address); }
};

/// "10.0.0.1:4000" or "[fe80::1]:4000". Null: that is none.
std::optional<SocketAddress> socket_address_from(std::string_view text);
std::string to_text(SocketAddress const& endpoint);
/// Without the port: "10.0.0.1".
std::string host_text(SocketAddress const& endpoint);
/// The address that the socket is bound to here.
SocketAddress own_end(int socket);

/// Listens at that address of this host ("10.0.0.1"; empty: at all), at a port of the system's
/// choice. Throws Error.
Descriptor listen_at(std::string const& host);
/// Null: no connection is pending. Throws Error when this process may not have one more.
Descriptor accept_from(int listener);
/// Begins to connect; the socket becomes writable when that has ended. Throws Error.
Descriptor connect_to(SocketAddress const& endpoint);
/// The result of connecting: errno; 0: connected.
int connect_error(int socket);

/// Short messages leave at once.
void set_nodelay(int socket);
/// The system ends the connection when the other host has not confirmed bytes for so long.
void set_user_timeout(int socket, int milliseconds);
/// At most as much as the system allows.
void set_receive_buffer(int socket, int size);
/// The system asks a host of which nothing has come for some seconds whether it is there still, and
/// ends the connection when it is not.
void enable_keepalive(int socket);

}  // namespace earl
