// SPDX-License-Identifier: BSD-3-Clause
/// Unix sockets: packets with open files, names that are no files, and the identity of the other
/// end.
#pragma once

#include <sys/socket.h>
#include <sys/un.h>

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "generic/base/bytes.hpp"
#include "generic/system/descriptor.hpp"

namespace earl {

inline constexpr std::size_t max_descriptors = 64;

/// An abstract address: no file, and gone with its socket.
struct AbstractName {
  /// At most 107 characters.
  explicit AbstractName(std::string_view text);

  sockaddr const* generic() const { return reinterpret_cast<sockaddr const*>(&address); }

  sockaddr_un address{};
  socklen_t size = 0;
};

/// The process that had connected, or listened, when the connection was made, by the kernel. Pid 0
/// and user -1: unknown, errno has the reason.
ucred peer_of(int socket);
/// Any process may take an abstract name, and connect to it.
bool is_of_this_user(int socket);

/// Whether `fd` is a Unix SOCK_SEQPACKET socket at all.
bool is_channel(int fd);

/// Sends one packet with at most `max_descriptors` open files; `flags` as send(2). Returns errno,
/// 0: sent.
int send_packet(int fd, Bytes packet, std::span<int const> descriptors, int flags);

enum class ReceiveStatus { packet, nothing, end };

/// One packet as it came.
struct UnixPacket {
  ReceiveStatus what = ReceiveStatus::nothing;
  std::size_t size = 0;                   ///< bytes written to the memory given
  std::int32_t unix_pid = 0;              ///< of the sender, by the kernel's word; 0: not asked for
  std::vector<Descriptor> descriptors{};  ///< close-on-exec
};

/// Receives one packet into `memory`; `flags` as recv(2). Never blocks, unless they are 0. Throws
/// Error when the system will not.
UnixPacket receive_packet(int fd, MutableBytes memory, int flags = MSG_DONTWAIT);
/// Like receive_packet(), but leaves it there and takes no descriptors.
UnixPacket peek_packet(int fd, MutableBytes memory);

}  // namespace earl
