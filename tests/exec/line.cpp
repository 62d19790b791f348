#include "exec/start/line.hpp"

#include <sys/socket.h>

#include <catch2/catch.hpp>

using namespace earl;

TEST_CASE("a process that lingers says so once, with its program's exit code") {
  int ends[2] = {-1, -1};
  REQUIRE(::socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) == 0);
  Descriptor const exec(ends[0]);
  boot::ControlLine line(Descriptor(ends[1]), boot::ControlLine::Bond::child);
  line.set_exit_code(3);
  line.leaving();
  line.goodbye();  // only guests say it
  std::vector<std::byte> room(control::most_packet);
  auto const arrival = control::receive_packet(exec.get(), room);
  REQUIRE(arrival.what == control::Took::packet);
  auto const message = control::Assembler{}.take(Bytes{room}.first(arrival.size));
  REQUIRE(message);
  CHECK(message->type == control::Type::leaving);
  CHECK(control::read<control::Leaving>(message->body.bytes()).exit_code == 3);
  CHECK(control::receive_packet(exec.get(), room).what == control::Took::nothing);
}
