// SPDX-License-Identifier: BSD-3-Clause
#include "generic/system/scoped_environment.hpp"

#include <catch2/catch.hpp>
#include <cstdlib>

using namespace earl;

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
