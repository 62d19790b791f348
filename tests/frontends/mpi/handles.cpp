// SPDX-License-Identifier: BSD-3-Clause
#include "frontends/mpi/handles.hpp"

#include <catch2/catch.hpp>

#include "frontends/mpi/errors.hpp"

using namespace earl::mpi;

namespace {

struct Number {
  int value = 0;
};
using Numbers = Table<Number, Kind::request>;

}  // namespace

TEST_CASE("a handle has its kind") {
  CHECK(handle::predefined(Kind::communicator, 1) == 0x44000001);
  CHECK(handle::null(Kind::request) == 0x2c000000);
  Numbers numbers;
  Handle const made = numbers.open({7});
  CHECK(handle::is(made, handle::Origin::made, Kind::request));
  CHECK_FALSE(handle::is(made, handle::Origin::made, Kind::group));
}

TEST_CASE("a handle that was freed names nothing, though its place is used again") {
  Numbers numbers;
  Handle const first = numbers.open({1});
  CHECK(numbers.close(first).value == 1);
  Handle const second = numbers.open({2});
  CHECK(second != first);
  CHECK(numbers.find(first) == nullptr);
  REQUIRE(numbers.find(second) != nullptr);
  CHECK(numbers.find(second)->value == 2);
}

TEST_CASE("places that are free are used again, each in 63 generations") {
  Numbers numbers;
  Handle const first = numbers.open({1});
  Handle const other = numbers.open({2});
  numbers.close(first);
  for (int i = 0; i < 62; ++i) {
    Handle const next = numbers.open({i});
    REQUIRE(numbers.find(first) == nullptr);
    CHECK(numbers.find(next)->value == i);
    numbers.drop(*numbers.find(next));
  }
  CHECK(numbers.open({3}) == first);
  CHECK(numbers.find(other)->value == 2);
  int open = 0;
  numbers.each([&](Number const& one) { open += one.value; });
  CHECK(open == 5);
}

TEST_CASE("no handle that is made looks like one of MPICH's pair types") {
  Table<Number, Kind::datatype> types;
  for (int i = 0; i < 200; ++i) {
    Handle const made = types.open({i});
    CHECK((handle::bits(made) & 0x03ff'ffff) > 0xff);
    types.close(made);
  }
}

TEST_CASE("a fault of a handle is reported") {
  Numbers numbers;
  Handle const made = numbers.open({1});
  numbers.close(made);
  CHECK(handle::objection(0x2c000000, Kind::request) == "MPI_REQUEST_NULL");
  CHECK(handle::objection(0x44000000, Kind::request) ==
        "0x44000000, a handle of kind communicator");
  CHECK(handle::objection(5, Kind::request) == "0x5, no handle of any kind");
  CHECK(handle::objection(0x101, Kind::communicator) ==
        "0x101, a handle of libmpi_abi's (compile and link with one -api of earlcc)");
  CHECK(handle::objection(handle::bits(made), Kind::request)
            .ends_with("a request that was freed or never made"));
  CHECK_THROWS_AS(handle::refuse(made, Kind::request, "request"), MpiError);
}
