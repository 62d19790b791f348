// SPDX-License-Identifier: BSD-3-Clause
#include "exec/launcher/services/waits.hpp"

#include <catch2/catch.hpp>

#include <utility>

#include "exec/launcher/services/partitions.hpp"

using namespace earl;
using namespace earl::exec;

namespace {

/// Records the answers and their receivers.
class FakeServiceContext final : public ServiceContext {
 public:
  void send_answer(PendingReply const& reply, Bytes answer) override {
    Reader from(answer);
    answers.emplace_back(reply.to, from.get<WaitAnswer>());
  }
  void send_message(Rank, Header const&, Bytes) override {}
  Roster const& roster() const override { return table; }
  HostList hosts() const override { return {}; }

  Roster table{16};
  std::vector<std::pair<Rank, WaitAnswer>> answers;
};

struct Cube {
  Rank load(std::uint32_t place, std::uint32_t label = 0) {
    auto const rank =
        context.table.add({.program = "node", .label = label, .partition = 1, .place = place});
    waits.expect(rank);
    return rank;
  }

  FakeServiceContext context;
  Rank host = context.table.add({.program = "host"});
  Waits waits{context};
  PendingReply reply{.to = host, .ticket = 1, .operation = 1};
};

}  // namespace

TEST_CASE("waiting for one gives ends in their order, each once") {
  Cube cube;
  auto const first = cube.load(0);
  auto const second = cube.load(1);
  cube.waits.died(second, 256);
  cube.waits.died(first, 0);
  cube.waits.one(cube.reply, {.partition = 1});
  cube.waits.one(cube.reply, {.partition = 1});
  cube.waits.one(cube.reply, {.partition = 1});
  REQUIRE(cube.context.answers.size() == 3);
  CHECK(cube.context.answers[0].second.place == 1);
  CHECK(cube.context.answers[0].second.wait_status == 256);
  CHECK(cube.context.answers[1].second.place == 0);
  CHECK_FALSE(cube.context.answers[2].second.known);
}

TEST_CASE("the answer comes at an end, and only to the waiting process") {
  Cube cube;
  auto const on_0 = cube.load(0, 7);
  auto const on_1 = cube.load(1, 8);
  cube.waits.one(cube.reply, {.partition = 1, .place = 0});
  cube.waits.died(on_1, 0);
  CHECK(cube.context.answers.empty());
  cube.waits.died(on_0, 0);
  REQUIRE(cube.context.answers.size() == 1);
  CHECK(cube.context.answers[0].second.label == 7);
}

TEST_CASE("waiting for all ends with the last of them") {
  Cube cube;
  auto const first = cube.load(0);
  auto const second = cube.load(1);
  cube.waits.all(cube.reply, {.partition = 1});
  cube.waits.died(first, 0);
  CHECK(cube.context.answers.empty());
  cube.waits.died(second, 0);
  CHECK(cube.context.answers.size() == 1);
  cube.waits.all(cube.reply, {.partition = 1});
  CHECK(cube.context.answers.size() == 2);
}

TEST_CASE("an ended process has no pending reply, and a replaced one is forgotten") {
  Cube cube;
  auto const node = cube.load(0);
  cube.waits.one(cube.reply, {.partition = 1});
  cube.waits.died(cube.host, 9);
  cube.waits.died(node, 0);
  CHECK(cube.context.answers.empty());
  cube.load(0);
  cube.waits.one(cube.reply, {.partition = 1});
  CHECK(cube.context.answers.empty());
}

TEST_CASE("the wait reason for ends has the processes that have not ended: all of them, or one") {
  Cube cube;
  auto const first = cube.load(0);
  auto const second = cube.load(1);
  CHECK(!cube.waits.wait_reason_of(cube.host));
  cube.waits.all(cube.reply, {.partition = 1});
  auto reason = cube.waits.wait_reason_of(cube.host);
  REQUIRE(reason);
  CHECK(reason->from == std::vector{first, second});
  CHECK(reason->all);
  CHECK_FALSE(reason->others);
  cube.waits.died(second, 0);
  CHECK(cube.waits.wait_reason_of(cube.host)->from == std::vector{first});
  cube.waits.died(first, 0);
  cube.load(0);
  cube.waits.one(cube.reply, {.partition = 1});
  reason = cube.waits.wait_reason_of(cube.host);
  REQUIRE(reason);
  CHECK_FALSE(reason->all);
  CHECK(reason->others);
}

TEST_CASE("partitions have names, places and hosts") {
  Roster roster(16);
  Partitions partitions(roster);
  auto const host = roster.add({.program = "host"});
  auto const got = partitions.allocate(host, {.name = "a", .places = 4});
  CHECK(got.fault == PartitionFault::none);
  CHECK(got.partition == 1);
  CHECK(roster.places_of(1) == 4);
  CHECK(roster.host_of(1) == host);
  CHECK(partitions.allocate(host, {.name = "a", .places = 1}).fault == PartitionFault::exists);
  CHECK(partitions.allocate(host, {.name = "b", .places = 16}).fault == PartitionFault::full);
  CHECK(partitions.attach(host, {.name = "c"}).fault == PartitionFault::unknown);
  CHECK(partitions.attach(host, {}).partition == 1);
  CHECK(partitions.places({.partition = 1}) == std::vector<std::int32_t>{0, 1, 2, 3});
  CHECK(partitions.places({.partition = 1, .place = 4}).empty());
  CHECK(partitions.places({.partition = 2}).empty());
  partitions.release(1);
  CHECK(partitions.empty());
  CHECK(roster.places_of(1) == 0);
  CHECK(partitions.attach(host, {}).fault == PartitionFault::unknown);
}

TEST_CASE("a rank is reserved before its process is there") {
  Roster roster(4);
  auto const rank = roster.add({.label = 3, .partition = 1, .place = 2});
  CHECK(roster.state(rank) == RankState::reserved);
  CHECK(roster.find({.partition = 1, .place = 2, .label = 3}) == rank);
  CHECK_FALSE(roster.find({.partition = 1, .place = 2, .label = 4}));
  roster.fill(rank, {.program = "node", .label = 3, .partition = 1, .place = 2});
  CHECK(program_of(roster.at(rank)) == "node");
  CHECK(roster.at(rank).place == 2);
}
