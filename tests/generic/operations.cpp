// SPDX-License-Identifier: BSD-3-Clause
#include "generic/services/operations.hpp"

#include <catch2/catch.hpp>

#include "generic/base/error.hpp"

using namespace earl;

TEST_CASE("a spawn request survives the journey") {
  const SpawnRequest request{.program = "slave",
                             .arguments = {"-v", ""},
                             .search = {"/a", "/b"},
                             .environment = {"X=1"},
                             .folder = "/tmp",
                             .count = 3,
                             .flags = 4,
                             .label = 5,
                             .hosts = {2, 0}};
  Writer writer;
  writer(request);
  Reader reader{writer.bytes()};
  const SpawnRequest again = reader.get<SpawnRequest>();
  CHECK(reader.at_end());
  CHECK(again.program == request.program);
  CHECK(again.arguments == request.arguments);
  CHECK(again.search == request.search);
  CHECK(again.environment == request.environment);
  CHECK(again.folder == request.folder);
  CHECK(again.count == 3);
  CHECK(again.flags == 4);
  CHECK(again.label == 5);
  CHECK(again.hosts == request.hosts);
}

TEST_CASE("the calls of two processes survive the journey") {
  Writer writer;
  writer(CallsAnswer{.own = "gisum at a.c:3", .other = ""});
  Reader reader{writer.bytes()};
  auto const again = reader.get<CallsAnswer>();
  CHECK(reader.at_end());
  CHECK(again.own == "gisum at a.c:3");
  CHECK(again.other.empty());
}

TEST_CASE("answers survive too") {
  Writer writer;
  writer(SpawnAnswer{.ranks = {Rank{4}, Rank{5}}, .fault = SpawnFault::no_room, .why = "full"});
  writer(StatusAnswer{.known = true, .alive = false});
  writer(SignalRequest{.target = Rank{3}, .signal = 15});
  Reader reader{writer.bytes()};
  auto const spawn = reader.get<SpawnAnswer>();
  CHECK(spawn.ranks == std::vector{Rank{4}, Rank{5}});
  CHECK(spawn.fault == SpawnFault::no_room);
  CHECK(spawn.why == "full");
  auto const status = reader.get<StatusAnswer>();
  CHECK(status.known);
  CHECK_FALSE(status.alive);
  CHECK(reader.get<SignalRequest>().signal == 15);
}

TEST_CASE("bytes cut anywhere are an error, never a crash") {
  Writer writer;
  writer(SpawnRequest{.program = "slave", .arguments = {"a", "b"}});
  for (std::size_t size = 0; size < writer.bytes().size(); ++size) {
    Reader reader{writer.bytes().first(size)};
    CHECK_THROWS_AS(reader.get<SpawnRequest>(), Error);
  }
}

TEST_CASE("absurd lengths are refused before anything is allocated") {
  Writer writer;
  writer.u32(0xffff'ffff);
  Reader strings{writer.bytes()};
  CHECK_THROWS_AS(strings.texts(), Error);
  Reader string{writer.bytes()};
  CHECK_THROWS_AS(string.text(), Error);
}
