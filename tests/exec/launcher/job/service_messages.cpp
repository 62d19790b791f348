// SPDX-License-Identifier: BSD-3-Clause
/// Answers and messages of EXEC's services reach the processes that they are for.
#include "exec/launcher/job/service_messages.hpp"

#include <catch2/catch.hpp>

#include "tests/exec/launcher/job/service_parts.hpp"

using namespace earl;
using namespace earl::exec;

TEST_CASE("an answer has the ticket and the operation of its request") {
  ServiceParts job;
  ChannelPair line;
  auto const rank = job.add_member(line).rank;
  job.messages.answer({.to = rank, .ticket = 7, .operation = 32}, GroupAnswer{.instance = 3});
  auto const message = line.received();
  REQUIRE(message);
  CHECK(message->type == control::Type::answer);
  CHECK(message->ticket == 7);
  CHECK(message->operation == 32);
  CHECK(control::read<GroupAnswer>(message->body.bytes()).instance == 3);
}

TEST_CASE("a message is a packet for the matcher") {
  ServiceParts job;
  ChannelPair line;
  auto const rank = job.add_member(line).rank;
  auto const header =
      header_of(Kind::eager, {.source = exec_rank, .dest = rank, .tag = Tag{5}, .length = 2});
  job.messages.send_message(rank, header, std::as_bytes(std::span{"ab", 2}));
  auto const message = line.received();
  REQUIRE(message);
  CHECK(message->type == control::Type::message);
  CHECK(message->body.size() == sizeof(Header) + 2);
}

TEST_CASE("a process that is not there gets nothing, and that is no error") {
  ServiceParts job;
  job.messages.answer({.to = Rank{5}, .ticket = 1, .operation = 32}, GroupAnswer{});
  job.messages.send_message(Rank{5}, {}, {});
  CHECK(job.messages.hosts().hosts.size() == 1);
  CHECK_FALSE(job.messages.roster().has(Rank{5}));
}
