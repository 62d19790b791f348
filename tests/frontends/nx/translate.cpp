// SPDX-License-Identifier: BSD-3-Clause
#include "frontends/nx/translate.hpp"

#include <catch2/catch.hpp>

#include "frontends/common/batch.hpp"
#include "frontends/nx/errors.hpp"
#include "frontends/nx/message_ids.hpp"
#include "tests/frontends/nx/failure.hpp"
#include "tests/frontends/table.hpp"

using namespace earl;
using namespace earl::nx;
using earl::tests::Table;

TEST_CASE("arguments are 32 bits wide, with any upper half of the register") {
  CHECK(narrow(4294967295L) == -1);
  CHECK(narrow(0x80000007L) == -0x7fff'fff9);
  CHECK(narrow(0x7fff'0000'0000'0005L) == 5);
  int x = 0;
  CHECK(narrow(&x) == &x);
}

TEST_CASE("a type selector is a type, or -1 for any ordinary type") {
  CHECK(tags_of(7).accepts(Tag{7}));
  CHECK_FALSE(tags_of(7).accepts(Tag{8}));
  CHECK(tags_of(0x4000'0001).accepts(Tag{0x4000'0001}));
  for (auto const type : {0, 30, 999'999'999, 0x3fff'ffff}) CHECK(tags_of(-1).accepts(Tag{type}));
  for (auto const type : {0x4000'0000, 0x7fff'ffff}) CHECK_FALSE(tags_of(-1).accepts(Tag{type}));
}

TEST_CASE("bit k of a mask selects type k, bit 30 the ordinary types from 30 on") {
  auto const low = tags_of(narrow(0x80000007L));
  for (auto const type : {0, 1, 2}) CHECK(low.accepts(Tag{type}));
  for (auto const type : {3, 29, 30, 0x4000'0000}) CHECK_FALSE(low.accepts(Tag{type}));
  auto const high = tags_of(narrow(0xc0000000L));
  for (auto const type : {30, 31, 0x3fff'ffff}) CHECK(high.accepts(Tag{type}));
  for (auto const type : {0, 29, 0x4000'0000}) CHECK_FALSE(high.accepts(Tag{type}));
  CHECK(failure_of([] { tags_of(narrow(0x80000000L)); }) == EQTYPE);
}

TEST_CASE("sends want a type, a pid, a length and a buffer that make sense") {
  CHECK(failure_of([] { tag_of(-1); }) == EQTYPE);
  CHECK(tag_of(0x7fff'ffff) == Tag{0x7fff'ffff});
  CHECK(failure_of([] { context_of_pid(-2); }) == EQPID);
  CHECK(failure_of([] { bytes("x", -1); }) == EQLEN);
  CHECK(failure_of([] { bytes(nullptr, 1); }) == EQPBUF);
  CHECK(mutable_bytes(nullptr, 0).empty());
}

TEST_CASE("pid 0 meets the other front ends, each other pid has a context of its own") {
  CHECK(context_of_pid(0) == common_context);
  CHECK(context_of_pid(1) != common_context);
  CHECK(context_of_pid(1) != context_of_pid(2));
  CHECK(space_of(context_of_pid(0x7fff'ffff)) == Space::user);
}

TEST_CASE("in a job of one NX program node n is Rank n, in any order of registration") {
  const Table table{
      {{"ring", "nx"}, {"ring", "", RankState::started}, {"ring", "", RankState::reserved}}};
  CHECK(batch_known(table.view(), Rank{0}));
  const Cube cube{table.view(), Rank{1}};
  CHECK(cube.size() == 3);
  CHECK(cube.me() == 1);
  CHECK(cube.rank_of(2) == Rank{2});
  CHECK(cube.node_of(Rank{2}) == 2);
  CHECK(cube.others() == std::vector{Rank{0}, Rank{2}});
}

TEST_CASE("which front end another program uses is known when it has registered or ended") {
  const Table early{{{"master", "pvm3"}, {"node", "nx"}, {"other", "", RankState::started}}};
  CHECK_FALSE(batch_known(early.view(), Rank{1}));
  const Table late{
      {{"master", "pvm3"}, {"node", "nx"}, {"other", "nx"}, {"odd", "", RankState::ended}}};
  CHECK(batch_known(late.view(), Rank{1}));
  CHECK(Cube{late.view(), Rank{1}}.size() == 2);
}

TEST_CASE("processes of other front ends have numbers above the host's") {
  const Table table{{{"master", "pvm3"}, {"a", "nx"}, {"slave", "pvm3"}, {"b", "nx"}}};
  const Cube cube{table.view(), Rank{3}};
  CHECK(cube.size() == 2);
  CHECK(cube.me() == 1);
  CHECK(cube.rank_of(0) == Rank{1});
  for (auto const foreign : {Rank{0}, Rank{2}}) {
    CHECK(cube.node_of(foreign) > cube.size());
    CHECK(cube.rank_of(cube.node_of(foreign)) == foreign);
  }
}

TEST_CASE("a cube is the processes of one spawn") {
  const Table table{{{"master", "pvm3"},
                     {"a", "nx", RankState::registered, 1},
                     {"a", "nx", RankState::registered, 1},
                     {"a", "nx", RankState::registered, 2}}};
  const Cube cube{table.view(), Rank{2}};
  CHECK(cube.size() == 2);
  CHECK(cube.me() == 1);
  CHECK(cube.node_of(Rank{3}) > cube.size());
}

TEST_CASE("nodes that cannot be are EQNODE, the host's number too while there is none") {
  const Table table{{{"ring", "nx"}, {"ring", "nx"}}};
  const Cube cube{table.view(), Rank{0}};
  for (auto const node : {-2, -1, 2, 100'000})
    CHECK(failure_of([&] { cube.rank_of(node); }) == EQNODE);
}

TEST_CASE("message ids are small numbers from 1, released once, and used again") {
  Call const call{};
  MessageIds ids{call};
  CHECK(ids.open({}) == 1);
  CHECK(ids.open({.request = RequestId{77}, .merged = {}}) == 2);
  CHECK(ids.find(2).request == RequestId{77});
  CHECK(ids.close(2).request == RequestId{77});
  for (auto const id : {-1, 0, 2, 3}) CHECK(failure_of([&] { ids.close(id); }) == EQMID);
  CHECK(ids.open({}) == 2);
  CHECK(ids.find(1).request == no_request);
}

TEST_CASE("errors of the core have NX's numbers") {
  CHECK(number_of(Error(Fault::bad_rank, "x")) == EQNODE);
  CHECK(number_of(Error(Fault::bad_length, "x")) == EQLEN);
  CHECK(number_of(Error(Fault::no_memory, "x")) == EQMEM);
  CHECK(number_of(Error("x")) == EQDRVERR);
}
