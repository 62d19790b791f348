// SPDX-License-Identifier: BSD-3-Clause
#include "generic/system/unix_socket.hpp"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstddef>
#include <cstring>

#include "generic/base/error.hpp"

namespace earl {

namespace {

constexpr std::size_t control_bytes =
    CMSG_SPACE(max_descriptors * sizeof(int)) + CMSG_SPACE(sizeof(ucred));

void take_controls(msghdr& message, UnixPacket& packet) {
  for (auto* head = CMSG_FIRSTHDR(&message); head; head = CMSG_NXTHDR(&message, head)) {
    if (head->cmsg_level != SOL_SOCKET) continue;
    auto const bytes = head->cmsg_len - CMSG_LEN(0);
    if (head->cmsg_type == SCM_CREDENTIALS && bytes >= sizeof(ucred)) {
      ucred sender{};
      std::memcpy(&sender, CMSG_DATA(head), sizeof sender);
      packet.unix_pid = sender.pid;
    } else if (head->cmsg_type == SCM_RIGHTS) {
      for (std::size_t at = 0; at + sizeof(int) <= bytes; at += sizeof(int)) {
        int fd = -1;
        std::memcpy(&fd, CMSG_DATA(head) + at, sizeof fd);
        packet.descriptors.emplace_back(fd);
      }
    }
  }
}

UnixPacket receive(int fd, MutableBytes memory, std::span<char> control, int flags) {
  iovec piece{.iov_base = memory.data(), .iov_len = memory.size()};
  msghdr message{};
  message.msg_iov = &piece;
  message.msg_iovlen = 1;
  message.msg_control = control.data();
  message.msg_controllen = control.size();
  ssize_t got = 0;
  // ECONNRESET is reported once when the other end has gone with unread data, before the data that
  // it had sent: that is still there.
  do {
    got = ::recvmsg(fd, &message, flags | MSG_CMSG_CLOEXEC);
  } while (got < 0 && (errno == EINTR || errno == ECONNRESET));
  UnixPacket packet;
  if (got < 0) {
    if (errno == EAGAIN || errno == EWOULDBLOCK) return packet;
    throw Error("a Unix socket: {}", system_message(errno));
  }
  if (!control.empty()) take_controls(message, packet);
  packet.what = got == 0 ? ReceiveStatus::end : ReceiveStatus::packet;
  packet.size = static_cast<std::size_t>(got);
  return packet;
}

}  // namespace

AbstractName::AbstractName(std::string_view text) {
  EARL_CHECK(text.size() < sizeof address.sun_path, "a name of {} characters", text.size());
  address.sun_family = AF_UNIX;
  text.copy(&address.sun_path[1], text.size());
  size = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + 1 + text.size());
}

ucred peer_of(int socket) {
  ucred peer{.pid = 0, .uid = static_cast<uid_t>(-1), .gid = static_cast<gid_t>(-1)};
  socklen_t size = sizeof peer;
  ::getsockopt(socket, SOL_SOCKET, SO_PEERCRED, &peer, &size);
  return peer;
}

bool is_of_this_user(int socket) { return peer_of(socket).uid == ::geteuid(); }

bool is_channel(int fd) {
  int domain = 0;
  int type = 0;
  socklen_t size = sizeof domain;
  if (::getsockopt(fd, SOL_SOCKET, SO_DOMAIN, &domain, &size) != 0 || domain != AF_UNIX)
    return false;
  size = sizeof type;
  return ::getsockopt(fd, SOL_SOCKET, SO_TYPE, &type, &size) == 0 && type == SOCK_SEQPACKET;
}

int send_packet(int fd, Bytes packet, std::span<int const> descriptors, int flags) {
  alignas(cmsghdr) std::array<char, CMSG_SPACE(max_descriptors * sizeof(int))> control{};
  iovec piece{.iov_base = const_cast<std::byte*>(packet.data()), .iov_len = packet.size()};
  msghdr message{};
  message.msg_iov = &piece;
  message.msg_iovlen = 1;
  if (!descriptors.empty()) {
    auto const count = std::min(descriptors.size(), max_descriptors);
    message.msg_control = control.data();
    message.msg_controllen = CMSG_SPACE(count * sizeof(int));
    auto* head = CMSG_FIRSTHDR(&message);
    head->cmsg_level = SOL_SOCKET;
    head->cmsg_type = SCM_RIGHTS;
    head->cmsg_len = CMSG_LEN(count * sizeof(int));
    std::memcpy(CMSG_DATA(head), descriptors.data(), count * sizeof(int));
  }
  for (;;) {
    if (::sendmsg(fd, &message, flags | MSG_NOSIGNAL) >= 0) return 0;
    if (errno != EINTR) return errno;
  }
}

UnixPacket receive_packet(int fd, MutableBytes memory, int flags) {
  alignas(cmsghdr) std::array<char, control_bytes> control{};
  return receive(fd, memory, control, flags);
}

UnixPacket peek_packet(int fd, MutableBytes memory) {
  return receive(fd, memory, {}, MSG_PEEK | MSG_DONTWAIT);
}

}  // namespace earl
