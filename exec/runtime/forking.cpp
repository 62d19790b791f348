// SPDX-License-Identifier: BSD-3-Clause
#include "exec/runtime/forking.hpp"

#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <cerrno>

#include "exec/runtime/control.hpp"
#include "generic/system/child.hpp"

namespace earl::boot {

ForkLine make_fork_line() {
  std::array<int, 2> ends{};
  if (::socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends.data()) != 0)
    throw Error(Fault::full, "no channel for one more process: {}", system_message(errno));
  return {.child = Descriptor(ends[0]), .exec = Descriptor(ends[1])};
}

void await_welcome(Descriptor const& channel) {
  pollfd line{.fd = channel.get(), .events = POLLIN, .revents = 0};
  while (::poll(&line, 1, -1) < 0 && errno == EINTR) {
  }
  std::array<std::byte, sizeof(control::Head)> head{};
  if (peek_packet(channel.get(), head).what != ReceiveStatus::packet) ::_exit(1);
}

void mark_ended(int unix_pid) { await_child(unix_pid); }

}  // namespace earl::boot
