// SPDX-License-Identifier: BSD-3-Clause
#include "exec/runtime/branch_server.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <catch2/catch.hpp>
#include <csignal>
#include <cstdlib>
#include <map>
#include <string>

#include "generic/system/unix_socket.hpp"

using namespace earl;

namespace {

/// In a branch: does what the name of the first tool says.
[[noreturn]] void obey(boot::BranchServer::Order const& order) {
  auto const& tool = order.request.tools.at(0);
  while (tool.name == "wait") ::pause();
  auto const written = ::write(order.output.get(), tool.argument.data(), tool.argument.size());
  ::_exit(static_cast<int>(written));
}

/// A process that serves, and the line to it.
class Served {
 public:
  Served() {
    std::array<int, 2> ends{};
    REQUIRE(::socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends.data()) == 0);
    line_ = Descriptor(ends[0]);
    Descriptor theirs(ends[1]);
    pid_ = ::fork();
    REQUIRE(pid_ >= 0);
    if (pid_ != 0) return;
    line_.close();
    obey(boot::BranchServer(std::move(theirs)).serve());
  }

  void order(std::uint32_t ticket, control::ToolUse const& tool, std::uint32_t milliseconds,
             Descriptor const& output) {
    auto const body =
        control::body_of(control::BranchRequest{.tools = {tool}, .milliseconds = milliseconds});
    const std::array along{output.get()};
    for (auto const& packet : control::packets_of(control::Type::branch, ticket, 0, body.bytes()))
      REQUIRE(send_packet(line_.get(), packet.bytes(), along, 0) == 0);
  }

  /// The next branch that has ended: its ticket and wait status.
  std::pair<std::uint32_t, int> ended() {
    std::vector<std::byte> room(control::most_packet);
    auto const arrival = receive_packet(line_.get(), room, 0);
    REQUIRE(arrival.what == ReceiveStatus::packet);
    auto const message = control::Assembler{}.take(Bytes{room}.first(arrival.size));
    REQUIRE(message);
    CHECK(message->type == control::Type::branched);
    return {message->ticket, control::read<control::RankValue>(message->body.bytes()).value};
  }

  /// The wait status of the process, which finds the line closed.
  int close() {
    line_.close();
    int status = -1;
    REQUIRE(::waitpid(pid_, &status, 0) == pid_);
    return status;
  }

 private:
  Descriptor line_{};
  pid_t pid_ = 0;
};

Descriptor memory() {
  Descriptor file(::memfd_create("output", MFD_CLOEXEC));
  REQUIRE(file);
  return file;
}

}  // namespace

TEST_CASE("each order gets a branch of its own, whose end is reported") {
  Served server;
  std::map<std::uint32_t, int> codes;
  std::array const outputs{memory(), memory()};
  server.order(7, {.name = "write", .argument = "abc"}, 60'000, outputs[0]);
  server.order(8, {.name = "write", .argument = "defgh"}, 60'000, outputs[1]);
  for (int i = 0; i < 2; ++i) {
    auto const [ticket, status] = server.ended();
    REQUIRE(WIFEXITED(status));
    codes[ticket] = WEXITSTATUS(status);
  }
  CHECK(codes == std::map<std::uint32_t, int>{{7, 3}, {8, 5}});
  std::array<char, 8> text{};
  CHECK(::pread(outputs[1].get(), text.data(), text.size(), 0) == 5);
  CHECK(std::string{text.data()} == "defgh");
  CHECK(server.close() == 0);
}

TEST_CASE("a branch that takes too long is ended, and so are those of a server that ends") {
  Served server;
  auto const output = memory();
  server.order(1, {.name = "wait", .argument = {}}, 10, output);
  auto const [ticket, status] = server.ended();
  CHECK(ticket == 1);
  REQUIRE(WIFSIGNALED(status));
  CHECK(WTERMSIG(status) == SIGKILL);
  server.order(2, {.name = "wait", .argument = {}}, 60'000, output);
  CHECK(server.close() == 0);
}
