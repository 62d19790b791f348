/// What a process finds when it begins: variables on loan, libraries by name.
#include <sys/mman.h>

#include <catch2/catch.hpp>
#include <cstdlib>

#include "backends/mpi/library.hpp"
#include "backends/mpi/module.hpp"
#include "generic/descriptor.hpp"
#include "generic/error.hpp"

using namespace earl;
using namespace earl::mpi_machine;

TEST_CASE("variables on loan are there while MPI begins, and then as they were") {
  ::setenv("EARL_TEST_OLD", "before", 1);
  ::unsetenv("EARL_TEST_NEW");
  {
    LentVariables const lent({"EARL_TEST_OLD=now", "EARL_TEST_NEW=a=b", "nothing"});
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

TEST_CASE("a library is named by its word, and only by that") {
  for (auto const& library : libraries()) CHECK(&library_named(library.word) == &library);
  CHECK_THROWS_WITH(library_named("lam"), "EARL_MPI is \"lam\"; it can be mpich or openmpi");
}

TEST_CASE("what is missing of a library is named, with the packages that bring it") {
  using Words = std::vector<std::string>;
  auto const& library = library_named("openmpi");
  auto const whole = description(library, {.part = true, .launcher = true});
  CHECK(whole.here == Words{"earl-openmpi.so", "mpiexec.openmpi"});
  CHECK(whole.missing.empty());
  CHECK(whole.remedy.empty());
  auto const unmade = description(library, {.launcher = true});
  CHECK(unmade.here == Words{"mpiexec.openmpi"});
  CHECK(unmade.missing == Words{"earl-openmpi.so"});
  CHECK(unmade.remedy == "apt-get install libopenmpi-dev, and build Earl again");
  auto const unstartable = description(library, {.part = true});
  CHECK(unstartable.missing == Words{"mpiexec.openmpi"});
  CHECK(unstartable.remedy == "apt-get install openmpi-bin");
  CHECK(description(library, {}).remedy ==
        "apt-get install libopenmpi-dev openmpi-bin, and build Earl again");
}
