// SPDX-License-Identifier: BSD-3-Clause
/// The environment of a process at its begin: borrowed variables.
#include "backends/hosted/variables.hpp"
#include "backends/hosted/remote_command.hpp"

#include <sys/mman.h>

#include <catch2/catch.hpp>

#include "generic/base/error.hpp"
#include "generic/system/descriptor.hpp"

using namespace earl;
using namespace earl::hosted_backend;

TEST_CASE("a place's variables are read as they were written") {
  Descriptor const memory(::memfd_create("place", MFD_CLOEXEC));
  constexpr char all[] = "A=1\0B=\0C=x y";
  REQUIRE(::write(memory.get(), all, sizeof all) == sizeof all);
  CHECK(read_variables(memory.get()) == std::vector<std::string>{"A=1", "B=", "C=x y"});
  CHECK_THROWS_AS(read_variables(-1), Error);
}

TEST_CASE("a remote command gets to its host as it was meant") {
  RemoteCommand const remote_command{
      .word = "mpich", .spread = {.hosts = {0, 1, 1}, .here = 1}, .command = "do it"};
  auto const bytes = in_bytes(remote_command);
  auto const got = remote_command_from(bytes);
  CHECK(got.word == remote_command.word);
  CHECK(got.spread.hosts == remote_command.spread.hosts);
  CHECK(got.spread.ranks_here() == std::vector{Rank{1}, Rank{2}});
  CHECK(got.command == remote_command.command);
  CHECK_THROWS_AS(remote_command_from(bytes + "x"), Error);
  CHECK_THROWS_AS(remote_command_from(bytes.substr(0, 9)), Error);
}
