// SPDX-License-Identifier: BSD-3-Clause
#include "generic/system/unix_socket.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <array>
#include <catch2/catch.hpp>
#include <string>

using namespace earl;

namespace {

struct Pair {
  Descriptor one;
  Descriptor other;
};

Pair new_pair() {
  std::array<int, 2> ends{};
  REQUIRE(::socketpair(AF_UNIX, SOCK_SEQPACKET, 0, ends.data()) == 0);
  return {.one = Descriptor(ends[0]), .other = Descriptor(ends[1])};
}

}  // namespace

TEST_CASE("descriptors arrive close-on-exec, and a look takes nothing") {
  auto const pair = new_pair();
  CHECK(is_channel(pair.one.get()));
  CHECK_FALSE(is_channel(STDIN_FILENO));
  std::array<int, 2> ends{};
  REQUIRE(::pipe(ends.data()) == 0);
  Descriptor const read_end(ends[0]);
  Descriptor const write_end(ends[1]);
  REQUIRE(send_packet(pair.one.get(), bytes_of(42), std::span{ends}, 0) == 0);
  std::array<std::byte, 100> room{};
  CHECK(peek_packet(pair.other.get(), room).descriptors.empty());
  auto const packet = receive_packet(pair.other.get(), room);
  CHECK(packet.what == ReceiveStatus::packet);
  CHECK(packet.size == sizeof 42);
  REQUIRE(packet.descriptors.size() == 2);
  CHECK((::fcntl(packet.descriptors[1].get(), F_GETFD) & FD_CLOEXEC) != 0);
  REQUIRE(::write(packet.descriptors[1].get(), "x", 1) == 1);
  char got = 0;
  REQUIRE(::read(read_end.get(), &got, 1) == 1);
  CHECK(got == 'x');
}

TEST_CASE("an empty channel and a closed one are distinguished") {
  auto pair = new_pair();
  std::array<std::byte, 100> room{};
  CHECK(receive_packet(pair.other.get(), room).what == ReceiveStatus::nothing);
  pair.one.close();
  CHECK(receive_packet(pair.other.get(), room).what == ReceiveStatus::end);
}

TEST_CASE("the last words of an end that leaves some unread arrive") {
  auto pair = new_pair();
  REQUIRE(send_packet(pair.other.get(), bytes_of(1), {}, 0) == 0);
  REQUIRE(send_packet(pair.one.get(), bytes_of(2), {}, 0) == 0);
  REQUIRE(send_packet(pair.one.get(), bytes_of(3), {}, 0) == 0);
  pair.one.close();
  std::array<std::byte, 100> room{};
  CHECK(receive_packet(pair.other.get(), room).what == ReceiveStatus::packet);
  CHECK(receive_packet(pair.other.get(), room).what == ReceiveStatus::packet);
  CHECK(receive_packet(pair.other.get(), room).what == ReceiveStatus::end);
  CHECK(receive_packet(pair.other.get(), room).what == ReceiveStatus::end);
}

TEST_CASE("the process at the other end of a socket without a file is known") {
  const AbstractName name("earl-test-" + std::to_string(::getpid()));
  Descriptor const listener(::socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0));
  REQUIRE(::bind(listener.get(), name.generic(), name.size) == 0);
  REQUIRE(::listen(listener.get(), 1) == 0);
  Descriptor const caller(::socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0));
  REQUIRE(::connect(caller.get(), name.generic(), name.size) == 0);
  CHECK(peer_of(caller.get()).pid == ::getpid());
  CHECK(is_of_this_user(caller.get()));
  CHECK_FALSE(is_of_this_user(-1));
  CHECK(peer_of(-1).pid == 0);
}
