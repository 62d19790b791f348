// SPDX-License-Identifier: BSD-3-Clause
#include "exec/launcher/programs/sources.hpp"

#include <catch2/catch.hpp>

using namespace earl;
using namespace earl::exec;

TEST_CASE("an included file is found in C and in Fortran") {
  CHECK(included_file("#include <nx.h>") == "nx.h");
  CHECK(included_file("  #  include \"../include/pvm3.h\" /* PVM */") == "../include/pvm3.h");
  CHECK(included_file("      INCLUDE 'fpvm3.h'") == "fpvm3.h");
  CHECK(included_file("      include \"mpif.h\"") == "mpif.h");
  CHECK(included_file("#include NAME").empty());
  CHECK(included_file("#include <nx.h").empty());
  CHECK(included_file("      included = 'x'").empty());
  CHECK(included_file("").empty());
}

TEST_CASE("sources have endings of C and Fortran") {
  CHECK(is_source("node.c"));
  CHECK(is_source("old/HOST.F"));
  CHECK_FALSE(is_source("node.o"));
  CHECK_FALSE(is_source("c"));
  CHECK(is_fortran("old/HOST.F"));
  CHECK(is_fortran("a.f90"));
  CHECK_FALSE(is_fortran("f.c"));
  CHECK_FALSE(is_fortran("f"));
}
