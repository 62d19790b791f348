// SPDX-License-Identifier: BSD-3-Clause
#include "frontends/mpi1draft/scopes.hpp"

#include <algorithm>
#include <catch2/catch.hpp>

#include "tests/frontends/mpi1draft/failure.hpp"

using namespace earl;
using namespace earl::mpi1draft;

namespace {

std::vector<Rank> ranks(int count) {
  std::vector<Rank> all;
  for (int i = 0; i < count; ++i) all.push_back(Rank{i});
  return all;
}

}  // namespace

TEST_CASE("a program begins where the other front ends are, and nowhere else") {
  Scopes scopes{ranks(4), 2};
  CHECK(scopes.context() == common_context);
  CHECK(scopes.current().me == 2);
  scopes.push_group(all);
  CHECK(scopes.context() != common_context);
  CHECK(scopes.pop_group() == all);
  CHECK(scopes.context() == common_context);
}

TEST_CASE("the same on all members, and never twice, is where messages travel") {
  Scopes one{ranks(4), 0}, other{ranks(4), 3};
  std::vector<Context> seen;
  for (int lap = 0; lap < 300; ++lap) {
    for (Scopes* scopes : {&one, &other}) {
      scopes->push_group(all);
      scopes->push_context(scopes->new_context());
    }
    CHECK(one.context() == other.context());
    seen.push_back(one.context());
    for (Scopes* scopes : {&one, &other}) scopes->pop_group();
  }
  std::sort(seen.begin(), seen.end());
  CHECK(std::adjacent_find(seen.begin(), seen.end()) == seen.end());
}

TEST_CASE("a group is known in the group context it was made in") {
  Scopes scopes{ranks(4), 1};
  scopes.add({.gid = 7, .ranks = {Rank{1}, Rank{3}}});
  CHECK(scopes.find(7).size() == 2);
  scopes.push_group(7);
  CHECK(scopes.find(7).size() == 2);  // it is the meaning of ALL now
  CHECK(scopes.find(all).gid == 7);
  scopes.add({.gid = 9, .ranks = {Rank{1}}});
  scopes.push_group(9);
  CHECK(failure_of([&] { scopes.find(7); }) == Status::bad_gid);
  CHECK(scopes.pop_group() == 7);
  CHECK(failure_of([&] { scopes.free(7); }) == Status::bad_gid);
  CHECK(scopes.pop_group() == all);
  CHECK(failure_of([&] { scopes.find(9); }) == Status::bad_gid);
  scopes.free(7);
  CHECK(scopes.find_or_null(7) == nullptr);
  CHECK(failure_of([&] { scopes.pop_group(); }) == Status::nothing_to_pop);
}

TEST_CASE("communication contexts nest; the default one stays") {
  Scopes scopes{ranks(2), 0};
  CHECK(scopes.new_context() == 2);
  scopes.push_context(2);
  auto const second = scopes.context();
  scopes.push_context(1);
  CHECK(scopes.context() == common_context);
  CHECK(scopes.pop_context() == 2);
  CHECK(scopes.context() == second);
  CHECK(scopes.pop_context() == 1);
  CHECK(scopes.pop_context() == 1);
  CHECK(failure_of([&] { scopes.push_context(3); }) == Status::bad_ccid);
}
