// SPDX-License-Identifier: BSD-3-Clause
#include "exec/runtime/session_server.hpp"

#include <fmt/format.h>
#include <sys/socket.h>
#include <unistd.h>

#include <catch2/catch.hpp>
#include <chrono>
#include <string>
#include <thread>

#include "generic/system/unix_socket.hpp"

using namespace earl;

namespace {

/// A session server between its bind() and its listen().
struct OpeningServer {
  OpeningServer() {
    const AbstractName address(fmt::format("earl-{}-{}", ::geteuid(), name));
    REQUIRE(::bind(socket.get(), address.generic(), address.size) == 0);
  }
  std::string name = fmt::format("pvm.opening-{}", ::getpid());
  Descriptor socket{::socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0)};
};

}  // namespace

TEST_CASE("a session server that has its name and does not listen yet is found") {
  OpeningServer server;
  std::thread opening([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds{5});  // the other finds it closed before
    ::listen(server.socket.get(), 1);
  });
  bool is_first = true;
  CHECK_NOTHROW(is_first = static_cast<bool>(boot::listen_as_session_server(server.name)));
  opening.join();
  CHECK_FALSE(is_first);
}
