/// The environment of a process at its begin: borrowed variables.
#include "backends/hosted/variables.hpp"
#include "backends/hosted/remote_command.hpp"

#include <sys/mman.h>

#include <catch2/catch.hpp>
#include <cstdlib>

#include "generic/base/error.hpp"
#include "generic/system/descriptor.hpp"

using namespace earl;
using namespace earl::hosted_backend;

TEST_CASE("a variable that is set twice has the program's value in the end") {
  ::setenv("EARL_TEST_OLD", "before", 1);
  ::unsetenv("EARL_TEST_NEW");
  {
    ScopedEnvironment const both(
        {"EARL_TEST_OLD=1", "EARL_TEST_NEW=1", "EARL_TEST_OLD=2", "EARL_TEST_NEW=2"});
    CHECK(std::string{std::getenv("EARL_TEST_OLD")} == "2");
    CHECK(std::string{std::getenv("EARL_TEST_NEW")} == "2");
  }
  CHECK(std::string{std::getenv("EARL_TEST_OLD")} == "before");
  CHECK(std::getenv("EARL_TEST_NEW") == nullptr);
  ::unsetenv("EARL_TEST_OLD");
}

TEST_CASE("variables are set while a library is initialized, and then as they were") {
  ::setenv("EARL_TEST_OLD", "before", 1);
  ::unsetenv("EARL_TEST_NEW");
  {
    ScopedEnvironment const lent({"EARL_TEST_OLD=now", "EARL_TEST_NEW=a=b", "nothing"});
    CHECK(std::string{std::getenv("EARL_TEST_OLD")} == "now");
    CHECK(std::string{std::getenv("EARL_TEST_NEW")} == "a=b");
  }
  CHECK(std::string{std::getenv("EARL_TEST_OLD")} == "before");
  CHECK(std::getenv("EARL_TEST_NEW") == nullptr);
  ::unsetenv("EARL_TEST_OLD");
}

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
