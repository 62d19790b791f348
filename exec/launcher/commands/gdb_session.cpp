// SPDX-License-Identifier: BSD-3-Clause
#include "exec/launcher/commands/gdb_session.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdio>

#include "exec/launcher/commands/run.hpp"
#include "exec/launcher/commands/trial_run.hpp"
#include "generic/base/bytes.hpp"
#include "generic/base/error.hpp"
#include "generic/system/child.hpp"

namespace earl::exec {

namespace {

/// The head of a reply of gdb_commands.py; the text follows.
struct Reply {
  std::uint64_t code = 0;
  std::uint64_t length = 0;
};
constexpr std::uint64_t done = 0;
constexpr std::uint64_t not_there = 2;

}  // namespace

void GdbSession::start() {
  std::array<int, 2> ends{};
  if (::socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends.data()) != 0)
    throw Error("a line to gdb: {}", system_message(errno));
  line_ = Descriptor(ends[0]);
  Descriptor const theirs(ends[1]);
  complaints_ = memory_file("earl-complaints");
  std::fflush(nullptr);
  auto const own = ::getpid();
  child_ = ::fork();
  if (child_ < 0) throw Error("cannot start gdb: {}", system_message(errno));
  if (child_ != 0) return;
  end_with_parent(own);
  Descriptor const nothing(::open("/dev/null", O_RDWR | O_CLOEXEC));
  ::dup2(nothing.get(), STDIN_FILENO);
  ::dup2(nothing.get(), STDOUT_FILENO);
  ::dup2(complaints_.get(), STDERR_FILENO);
  try {
    auto replay = parse_replay(
        recording_.replay_arguments({"--alone", std::to_string(number(rank_)), "--gdb"}),
        configured());
    ::fcntl(theirs.get(), F_SETFD, 0);
    replay.alone->commands = theirs.get();
    replay_alone(replay);
  } catch (std::exception const& error) {
    fmt::print(stderr, "earl: {}\n", error.what());
  }
  std::fflush(nullptr);
  ::_exit(1);
}

void GdbSession::end() {
  line_.close();
  if (child_ != 0) await_child(std::exchange(child_, 0));
}

/// False: gdb has ended.
bool GdbSession::receive(MutableBytes bytes) {
  while (!bytes.empty()) {
    auto const got = ::recv(line_.get(), bytes.data(), bytes.size(), 0);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return false;
    bytes = bytes.subspan(static_cast<std::size_t>(got));
  }
  return true;
}

std::string GdbSession::output_of(std::string_view command, std::uint64_t event) {
  if (child_ == 0) start();
  std::string request{reinterpret_cast<char const*>(&event), sizeof event};
  request += command;
  Reply reply;
  std::string text;
  bool there = ::send(line_.get(), request.data(), request.size(), MSG_NOSIGNAL) >= 0 &&
               receive({reinterpret_cast<std::byte*>(&reply), sizeof reply});
  if (there) {
    text.resize(reply.length);
    there = receive({reinterpret_cast<std::byte*>(text.data()), text.size()});
  }
  if (!there) {
    end();
    text = own_sentences(complaints_);
  }
  if (!there || reply.code == not_there)
    throw Error("gdb did not come to event {} of rank {}{}", event, number(rank_),
                text.empty() ? "" : ": " + text);
  if (reply.code != done) throw Error("{}", text);
  return text;
}

}  // namespace earl::exec
