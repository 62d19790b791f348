// SPDX-License-Identifier: BSD-3-Clause
#include "backends/mpi/library.hpp"

#include <algorithm>
#include <catch2/catch.hpp>

#include "generic/base/error.hpp"

using namespace earl;
using namespace earl::mpi_backend;

TEST_CASE("a library is named by its word, and only by that") {
  for (auto const& library : libraries()) CHECK(&library_named(library.word) == &library);
  CHECK_THROWS_WITH(library_named("lam"), "EARL_MPI is \"lam\"; it can be mpich or openmpi");
}

TEST_CASE("missing parts of a library are named, with their packages") {
  using Words = std::vector<std::string>;
  auto const& library = library_named("openmpi");
  auto const whole = description(library, {.part = true, .launcher = true});
  CHECK(whole.here == Words{"earl-openmpi.so", "mpiexec.openmpi"});
  CHECK(whole.missing.empty());
  CHECK(whole.remedy.empty());
  auto const unmade = description(library, {.launcher = true});
  CHECK(unmade.here == Words{"mpiexec.openmpi"});
  CHECK(unmade.missing == Words{"earl-openmpi.so"});
  CHECK(unmade.remedy ==
        "apt-get install libopenmpi-dev, and build Earl again or install its package earl-mpi");
  auto const unstartable = description(library, {.part = true});
  CHECK(unstartable.missing == Words{"mpiexec.openmpi"});
  CHECK(unstartable.remedy == "apt-get install openmpi-bin");
  CHECK(description(library, {}).remedy ==
        "apt-get install libopenmpi-dev openmpi-bin, and build Earl again or install its package "
        "earl-mpi");
}

TEST_CASE("each library gets the placement of processes in its own way") {
  std::vector<std::uint32_t> const hosts{0, 1, 1, 1, 0, 1};
  CHECK(library_named("mpich").spread("shell", hosts).back() == "earl-0:1,earl-1:3");
  CHECK(library_named("openmpi").spread("shell", hosts).back() ==
        "earl-0,earl-1,earl-1,earl-1,earl-0,earl-1");
  for (auto const& library : libraries()) {
    auto const words = library.spread("shell", hosts);
    CHECK(std::ranges::count(words, "shell") == 1);
  }
}
