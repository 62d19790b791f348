// SPDX-License-Identifier: BSD-3-Clause
#include "generic/outbound.hpp"

#include <catch2/catch.hpp>

#include "tests/generic/lone_engine.hpp"

using namespace earl;
using namespace earl::test;

using Kinds = std::vector<Kind>;

TEST_CASE("a short message leaves at once, numbered, a long one is offered") {
  LoneEngine lone;
  Outbound& outbound = lone.engine.outbound();
  outbound.send(to(1), Bytes{pattern(64)});
  outbound.send(to(1), Bytes{pattern(64)});
  CHECK(lone.left() == Kinds{Kind::eager, Kind::eager});
  CHECK(lone.port.sent[0].header.sequence == 0);
  CHECK(lone.port.sent[1].header.sequence == 1);
  auto const data = pattern(65);
  static_cast<void>(outbound.start_send(to(1, 1, Mode::standard), Bytes{data}));
  CHECK(lone.left() == Kinds{Kind::offer});
}

TEST_CASE("what has no room waits in the outbox, and leaves in its order") {
  LoneEngine lone;
  Outbound& outbound = lone.engine.outbound();
  lone.port.room = 1;
  for (int tag = 1; tag <= 4; ++tag) outbound.send(to(1, tag), Bytes{});
  CHECK(lone.left() == Kinds{Kind::eager});
  CHECK(outbound.has_waiting());
  lone.port.room = 2;
  CHECK(outbound.flush_outboxes() == 2);
  CHECK(outbound.has_waiting());
  lone.port.room = 2;
  outbound.put_protocol(Rank{1}, Kind::credit, bytes_of(MessageCount{}));
  CHECK(lone.left() == Kinds{Kind::eager, Kind::eager});  // the credit waits behind the fourth
  CHECK(outbound.flush_outboxes() == 2);
  CHECK_FALSE(outbound.has_waiting());
  CHECK(lone.left() == Kinds{Kind::eager, Kind::credit});
  for (int i = 0; i < 4; ++i)
    CHECK(lone.port.sent[static_cast<std::size_t>(i)].header.tag == i + 1);
}

TEST_CASE("a program that only sends empties its outbox by sending") {
  LoneEngine lone;
  Outbound& outbound = lone.engine.outbound();
  lone.port.room = 0;
  for (int tag = 1; tag <= 20; ++tag) outbound.send(to(1, tag), Bytes{});
  CHECK(lone.left().empty());
  CHECK(outbound.has_waiting());
  lone.port.room = 1000;  // which only progress finds
  outbound.send(to(1, 21), Bytes{});
  CHECK_FALSE(outbound.has_waiting());
  CHECK(lone.left() == Kinds(21, Kind::eager));
}

TEST_CASE("with a peer its outbox goes") {
  LoneEngine lone;
  Outbound& outbound = lone.engine.outbound();
  lone.port.room = 0;
  outbound.send(to(1), Bytes{});
  CHECK(outbound.has_waiting());
  outbound.close(*lone.engine.peers().find(Rank{1}));
  CHECK_FALSE(outbound.has_waiting());
}

TEST_CASE("a debugger's word goes before each message of the program to others, and no other") {
  struct Words final : Interceptor {
    bool piggybacks() const override { return true; }
    std::optional<std::uint64_t> piggyback(Rank dest) override {
      return 40 + static_cast<unsigned>(number(dest));
    }
  };
  LoneEngine lone;
  lone.engine.watch(std::make_unique<Words>());
  Outbound& outbound = lone.engine.outbound();
  outbound.send(to(1), Bytes{});
  outbound.send(to(0), Bytes{});
  Envelope own = to(1);
  own.context = context_of(Space::control, 0);
  outbound.send(own, Bytes{});
  outbound.send(to(1), Bytes{});
  CHECK(lone.left() ==
        Kinds{Kind::piggyback, Kind::eager, Kind::eager, Kind::piggyback, Kind::eager});
  auto const [sequence, word] = from_bytes<Piggyback>(lone.port.sent[3].payload.bytes());
  CHECK(sequence == 1);
  CHECK(word == 41);
}
