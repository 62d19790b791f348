// SPDX-License-Identifier: BSD-3-Clause
#include "exec/runtime/line.hpp"

#include <sys/socket.h>
#include <unistd.h>

#include <catch2/catch.hpp>

using namespace earl;

namespace {

/// The next packet's type; null: there is none.
std::optional<control::Message> next_of(Descriptor const& exec) {
  std::vector<std::byte> room(control::most_packet);
  auto const arrival = receive_packet(exec.get(), room);
  if (arrival.what != ReceiveStatus::packet) return {};
  return control::Assembler{}.take(Bytes{room}.first(arrival.size));
}

}  // namespace

TEST_CASE("a forked process says how it ends, once") {
  int ends[2] = {-1, -1};
  REQUIRE(::socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) == 0);
  Descriptor const exec(ends[0]);
  boot::ControlLine line(Descriptor(ends[1]), boot::ControlLine::Bond::forked);
  line.set_exit_code(7);
  SECTION("as it ends") { line.goodbye(); }
  SECTION("while it lingers") {
    line.leaving();
    line.goodbye();
  }
  auto const message = next_of(exec);
  REQUIRE(message);
  CHECK(message->type == control::Type::leaving);
  CHECK(control::read<control::Leaving>(message->body.bytes()).exit_code == 7);
  CHECK_FALSE(next_of(exec));
}

TEST_CASE("a descriptor travels with the request it was enclosed in, and with no other") {
  int ends[2] = {-1, -1};
  REQUIRE(::socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) == 0);
  Descriptor const exec(ends[0]);
  boot::ControlLine line(Descriptor(ends[1]), boot::ControlLine::Bond::child);
  line.enclose(STDIN_FILENO);
  line.ask(1, 14, {});
  line.ask(2, 14, {});
  std::vector<std::byte> room(control::most_packet);
  CHECK(receive_packet(exec.get(), room).descriptors.size() == 1);
  CHECK(receive_packet(exec.get(), room).descriptors.empty());
}

TEST_CASE("a process that lingers says so once, with its program's exit code") {
  int ends[2] = {-1, -1};
  REQUIRE(::socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) == 0);
  Descriptor const exec(ends[0]);
  boot::ControlLine line(Descriptor(ends[1]), boot::ControlLine::Bond::child);
  line.set_exit_code(3);
  line.leaving();
  line.goodbye();  // only guests say it
  std::vector<std::byte> room(control::most_packet);
  auto const arrival = receive_packet(exec.get(), room);
  REQUIRE(arrival.what == ReceiveStatus::packet);
  auto const message = control::Assembler{}.take(Bytes{room}.first(arrival.size));
  REQUIRE(message);
  CHECK(message->type == control::Type::leaving);
  CHECK(control::read<control::Leaving>(message->body.bytes()).exit_code == 3);
  CHECK(receive_packet(exec.get(), room).what == ReceiveStatus::nothing);
}
