// SPDX-License-Identifier: BSD-3-Clause
#include "exec/runtime/control.hpp"

#include <array>
#include <catch2/catch.hpp>
#include <random>

using namespace earl;
using namespace earl::control;

namespace {

Buffer text(std::string_view payload) { return Buffer(Gather{std::as_bytes(std::span{payload})}); }

std::string text_of(Message const& message) {
  return {reinterpret_cast<char const*>(message.body.data()), message.body.size()};
}

/// A packet of the protocol, with one field changed.
template <class Change>
Buffer damaged(Change change) {
  auto packets = packets_of(Type::request, 1, 2, text("hello").bytes());
  Head head;
  std::memcpy(&head, packets[0].data(), sizeof head);
  change(head);
  std::memcpy(packets[0].data(), &head, sizeof head);
  return std::move(packets[0]);
}

}  // namespace

TEST_CASE("a message comes back as it was sent") {
  auto const packets = packets_of(Type::request, 7, 3, text("spawn").bytes());
  REQUIRE(packets.size() == 1);
  auto const message = Assembler{}.take(packets[0].bytes());
  REQUIRE(message);
  CHECK(message->type == Type::request);
  CHECK(message->ticket == 7);
  CHECK(message->operation == 3);
  CHECK(text_of(*message) == "spawn");
}

TEST_CASE("an empty message is one packet") {
  auto const packets = packets_of(Type::hello, 0, 0, {});
  REQUIRE(packets.size() == 1);
  REQUIRE(Assembler{}.take(packets[0].bytes()));
}

TEST_CASE("a long message is cut and put together again") {
  std::string const sent(3 * most_part + 17, 'x');
  auto const packets = packets_of(Type::answer, 1, 1, text(sent).bytes());
  REQUIRE(packets.size() == 4);
  Assembler assembler;
  for (std::size_t i = 0; i + 1 < packets.size(); ++i) {
    CHECK(packets[i].size() <= most_packet);
    CHECK_FALSE(assembler.take(packets[i].bytes()));
  }
  auto const message = assembler.take(packets.back().bytes());
  REQUIRE(message);
  CHECK(text_of(*message) == sent);
}

TEST_CASE("a malformed message is refused in a sentence") {
  CHECK_THROWS_WITH(Assembler{}.take(text("GET /").bytes()), Catch::Contains("shorter"));
  CHECK_THROWS_WITH(Assembler{}.take(damaged([](Head& h) { h.magic = 1; }).bytes()),
                    Catch::Contains("no control message"));
  CHECK_THROWS_WITH(Assembler{}.take(damaged([](Head& h) { h.version = 9; }).bytes()),
                    Catch::Contains("version 9"));
  CHECK_THROWS_WITH(Assembler{}.take(damaged([](Head& h) { h.type = 99; }).bytes()),
                    Catch::Contains("unknown type 99"));
  CHECK_THROWS_WITH(Assembler{}.take(damaged([](Head& h) { h.length = 0xffff'ffff; }).bytes()),
                    Catch::Contains("claims"));
  CHECK_THROWS_WITH(Assembler{}.take(damaged([](Head& h) { h.length = 2; }).bytes()),
                    Catch::Contains("longer than it claims"));
  CHECK_THROWS_WITH(Assembler{}.take(damaged([](Head& h) { h.offset = 4; }).bytes()),
                    Catch::Contains("without its beginning"));
}

TEST_CASE("parts of two messages do not make one") {
  std::string const sent(2 * most_part, 'x');
  auto const one = packets_of(Type::request, 1, 1, text(sent).bytes());
  auto const other = packets_of(Type::request, 2, 1, text(sent).bytes());
  Assembler assembler;
  CHECK_FALSE(assembler.take(one[0].bytes()));
  CHECK_THROWS_WITH(assembler.take(other[1].bytes()), Catch::Contains("mixed up"));
}

TEST_CASE("random bytes behind a right head never do harm") {
  std::mt19937 random(20'261'120);
  for (int round = 0; round < 20'000; ++round) {
    Buffer packet(random() % 64);
    for (auto& byte : packet.room()) byte = static_cast<std::byte>(random());
    Head head{.magic = magic, .version = version};
    head.type = static_cast<std::uint16_t>(random() % 8);
    head.length = static_cast<std::uint32_t>(random() % 128);
    head.offset = random() % 4 == 0 ? static_cast<std::uint32_t>(random()) : 0;
    copy(bytes_of(head), packet.room());
    try {
      auto const message = Assembler{}.take(packet.bytes());
      if (message) static_cast<void>(read<Welcome>(message->body.bytes()));
    } catch (Error const& error) {
      CHECK(std::string_view{error.what()}.size() > 10);
    }
  }
}

TEST_CASE("a debugger's note survives the journey") {
  auto const body = body_of(Note{.debugger = "break", .bytes = text("tag=7")});
  auto const back = read<Note>(body.bytes());
  CHECK(back.debugger == "break");
  CHECK(std::equal(back.bytes.data(), back.bytes.data() + back.bytes.size(), text("tag=7").data()));
  CHECK_THROWS_AS(read<Note>(body.bytes().first(6)), Error);
}

TEST_CASE("welcome and hello survive the journey") {
  Welcome welcome{
      .rank = Rank{5}, .back_end = "shm", .tools = {{"record", "/a b"}, {"x", ""}}, .group = 7};
  auto const body = body_of(welcome);
  auto const back = read<Welcome>(body.bytes());
  CHECK(back.rank == Rank{5});
  CHECK(back.back_end == "shm");
  CHECK(back.tools == welcome.tools);
  CHECK(back.group == 7);
  auto const hello = body_of(Hello{.unix_pid = 42, .front_end = "nx"});
  CHECK(read<Hello>(hello.bytes()).unix_pid == 42);
  CHECK(read<Hello>(hello.bytes()).front_end == "nx");
  CHECK_THROWS_AS(read<Hello>(hello.bytes().first(6)), Error);
  CHECK_THROWS_AS(read<Hello>(body.bytes()), Error);
}

TEST_CASE("a message of a rank on its shared process's line is whole, and checked for validity") {
  const RankMessage passed{
      .rank = Rank{3},
      .message = {.type = Type::request, .ticket = 7, .operation = 2, .body = text("spawn")}};
  auto const body = body_of(passed);
  auto const came = read<RankMessage>(body.bytes());
  CHECK(came.rank == Rank{3});
  CHECK(came.message.type == Type::request);
  CHECK(came.message.ticket == 7);
  CHECK(text_of(came.message) == "spawn");
  CHECK_THROWS_AS(read<RankMessage>(body.bytes().first(body.size() - 1)), Error);
  RankMessage unknown{.rank = Rank{3}, .message = {.type = static_cast<Type>(999), .body = {}}};
  CHECK_THROWS_AS(read<RankMessage>(body_of(unknown).bytes()), Error);
}
