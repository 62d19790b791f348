#include "backends/myrinet/cables/rental.hpp"

#include <sys/socket.h>
#include <sys/time.h>
#include <sys/un.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>

#include "generic/error.hpp"

namespace earl::myrinet::cables {

namespace {

constexpr int backlog = 16;
constexpr std::size_t most_files = 2;

struct Address {
  sockaddr_un name{};
  socklen_t size = 0;

  sockaddr const* generic() const { return reinterpret_cast<sockaddr const*>(&name); }
};

/// NUL, "earl-myrinet-", the user, "-", the name.
Address address_of(std::string const& name) {
  if (name.empty() || name.size() > longest_name || name.find('/') != std::string::npos)
    throw Error("'{}' is no name for a network: 1 to {} characters, and no '/'", name,
                longest_name);
  auto const text = fmt::format("earl-myrinet-{}-{}", ::geteuid(), name);
  Address address;
  address.name.sun_family = AF_UNIX;
  text.copy(address.name.sun_path + 1, text.size());
  address.size = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + 1 + text.size());
  return address;
}

Descriptor new_socket() {
  Descriptor socket(::socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0));
  if (!socket) throw Error("no socket for a network: {}", system_message(errno));
  return socket;
}

/// Anybody may take a name that says it is somebody else's.
bool is_mine(int line) {
  ucred peer{};
  socklen_t size = sizeof peer;
  return ::getsockopt(line, SOL_SOCKET, SO_PEERCRED, &peer, &size) == 0 && peer.uid == ::geteuid();
}

using Room = std::array<char, CMSG_SPACE(most_files * sizeof(int))>;

}  // namespace

Descriptor listen_as_keeper(std::string const& name) {
  auto const address = address_of(name);
  auto socket = new_socket();
  if (::bind(socket.get(), address.generic(), address.size) != 0) {
    if (errno == EADDRINUSE) throw Error("there is a network {} already", name);
    throw Error("the network {}: {}", name, system_message(errno));
  }
  if (::listen(socket.get(), backlog) != 0)
    throw Error("the network {}: {}", name, system_message(errno));
  return socket;
}

Descriptor accept_own(int listener) {
  Descriptor line(::accept4(listener, nullptr, nullptr, SOCK_CLOEXEC));
  if (!line || !is_mine(line.get())) return {};
  timeval const patience{.tv_sec = 2, .tv_usec = 0};
  ::setsockopt(line.get(), SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
  return line;
}

Descriptor call_keeper(std::string const& name) {
  auto const address = address_of(name);
  auto socket = new_socket();
  if (::connect(socket.get(), address.generic(), address.size) != 0) {
    if (errno == ECONNREFUSED)
      throw Error("nobody keeps a network {}; earl-myrinet {} TOPOLOGY starts it", name, name);
    throw Error("the network {}: {}", name, system_message(errno));
  }
  if (!is_mine(socket.get())) throw Error("the network {} belongs to another user", name);
  return socket;
}

void say(int line, std::string_view words, std::span<int const> files) {
  words = words.substr(0, longest_words - 1);
  char empty = '\0';  // a packet of no bytes looks like the end
  iovec piece{words.empty() ? &empty : const_cast<char*>(words.data()),
              words.empty() ? 1 : words.size()};
  alignas(cmsghdr) Room room{};
  msghdr message{};
  message.msg_iov = &piece;
  message.msg_iovlen = 1;
  if (!files.empty()) {
    message.msg_control = room.data();
    message.msg_controllen = CMSG_SPACE(files.size_bytes());
    auto* const header = CMSG_FIRSTHDR(&message);
    header->cmsg_level = SOL_SOCKET;
    header->cmsg_type = SCM_RIGHTS;
    header->cmsg_len = CMSG_LEN(files.size_bytes());
    std::memcpy(CMSG_DATA(header), files.data(), files.size_bytes());
  }
  static_cast<void>(::sendmsg(line, &message, MSG_NOSIGNAL | MSG_DONTWAIT));
}

std::optional<Words> hear(int line) {
  std::array<char, longest_words> text{};
  iovec piece{text.data(), text.size()};
  alignas(cmsghdr) Room room{};
  msghdr message{};
  message.msg_iov = &piece;
  message.msg_iovlen = 1;
  message.msg_control = room.data();
  message.msg_controllen = room.size();
  ssize_t got = 0;
  do {
    got = ::recvmsg(line, &message, MSG_CMSG_CLOEXEC);
  } while (got < 0 && errno == EINTR);
  if (got <= 0) return std::nullopt;
  Words heard;
  heard.words.assign(text.data(), ::strnlen(text.data(), static_cast<std::size_t>(got)));
  auto const* const header = CMSG_FIRSTHDR(&message);
  if (!header || header->cmsg_type != SCM_RIGHTS) return heard;
  for (std::size_t at = 0; CMSG_LEN(at + sizeof(int)) <= header->cmsg_len; at += sizeof(int)) {
    int file = -1;
    std::memcpy(&file, CMSG_DATA(header) + at, sizeof file);
    heard.files.emplace_back(file);
  }
  return heard;
}

}  // namespace earl::myrinet::cables
