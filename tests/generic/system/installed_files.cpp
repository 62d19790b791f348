// SPDX-License-Identifier: BSD-3-Clause
#include "generic/system/installed_files.hpp"

#include <catch2/catch.hpp>

using namespace earl;

TEST_CASE("a command is looked for in PATH") {
  CHECK(find_command("sh").ends_with("/sh"));
  CHECK(find_command("no-such-command-of-anybody").empty());
}

TEST_CASE("a part that this Earl was built without has no path") {
  CHECK(find_part("nowhere", "nothing.so").empty());
}

TEST_CASE("a module that cannot be loaded is named by the loader") {
  CHECK_THROWS_WITH(load_part("/nowhere/nothing.so", "table", 0),
                    Catch::Contains("/nowhere/nothing.so"));
}
