// SPDX-License-Identifier: BSD-3-Clause
#include "frontends/nx/message_ids.hpp"

#include <catch2/catch.hpp>
#include <cstdlib>

#include "frontends/nx/errors.hpp"
#include "frontends/nx/translate.hpp"
#include "tests/frontends/nx/failure.hpp"

using namespace earl;
using namespace earl::nx;

namespace {

OpenMessage receive(std::uint64_t request) { return {.request = RequestId{request}, .merged = {}}; }

}  // namespace

TEST_CASE("a merged id stands for the operations of both, which have no ids any more") {
  Call const call{};
  MessageIds ids{call};
  auto const first = ids.open(receive(10));
  auto const second = ids.open(receive(20));
  auto const third = ids.open({});
  auto const two = ids.merge(first, second);
  auto const three = ids.merge(two, third);
  auto const all = ids.close(three);
  REQUIRE(all.merged.size() == 3);
  CHECK(all.merged[0].message.request == RequestId{10});
  CHECK(all.merged[1].message.request == RequestId{20});
  CHECK(all.merged[2].message.request == no_request);
  for (auto const id : {first, second, third}) CHECK(failure_of([&] { ids.find(id); }) == EQMID);
}

TEST_CASE("a merge that fails leaves both ids as they were") {
  Call const call{};
  MessageIds ids{call};
  auto const id = ids.open(receive(10));
  CHECK(failure_of([&] { ids.merge(id, 99); }) == EQMID);
  CHECK(failure_of([&] { ids.merge(99, id); }) == EQMID);
  CHECK(failure_of([&] { ids.merge(id, id); }) == EQMID);
  CHECK(ids.find(id).request == RequestId{10});
}

TEST_CASE("every error number has its text") {
  CHECK(error_text(EQDRVERR) == "driver failure");
  CHECK(error_text(EQMSGLONG) == "message longer than buffer");
  CHECK(error_text(EQPATH) == "path too long");
  CHECK(error_text(2) == "No such file or directory");
  CHECK_FALSE(error_text(EQPATH + 1).empty());
}

TEST_CASE("a Fortran text ends before its last blanks") {
  CHECK(fortran_text("node    ", 8) == "node");
  CHECK(fortran_text("two words ", 10) == "two words");
  CHECK(fortran_text("    ", 4).empty());
  CHECK(fortran_text("node", 4) == "node");
}

TEST_CASE("messages and files share the numbers, and are not mixed up") {
  Call const call{};
  MessageIds ids{call};
  auto const message = ids.open(receive(10));
  auto const file = ids.open({.merged = {}, .file = true, .fault = 9});
  CHECK(message != file);
  CHECK(failure_of([&] { ids.find(file); }) == EQMID);
  CHECK(failure_of([&] { ids.merge(message, file); }) == EQMID);
  CHECK(failure_of([&] { ids.close_file(message); }) == EQMID);
  CHECK(ids.close_file(file) == 9);
  CHECK(failure_of([&] { ids.close_file(file); }) == EQMID);
}

TEST_CASE("EARL_NX_IDS says how many ids there are") {
  ::setenv("EARL_NX_IDS", "2", 1);
  Call const call{};
  MessageIds ids{call};
  ::unsetenv("EARL_NX_IDS");
  auto const first = ids.open(receive(10));
  auto const second = ids.open({.merged = {}, .file = true});
  CHECK(failure_of([&] { ids.open(receive(20)); }) == EQNOMID);
  ids.close_file(second);
  CHECK_NOTHROW(ids.check_room());
  auto const third = ids.open(receive(30));
  auto const both = ids.merge(first, third);
  CHECK_NOTHROW(ids.open(receive(40)));
  CHECK(failure_of([&] { ids.check_room(); }) == EQNOMID);
  ids.close(both);
  CHECK_NOTHROW(ids.check_room());
  ::setenv("EARL_NX_IDS", "few", 1);
  CHECK(failure_of([] { most_ids(); }) == EQPARAM);
  ::unsetenv("EARL_NX_IDS");
}
