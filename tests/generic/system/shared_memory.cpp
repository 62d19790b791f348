// SPDX-License-Identifier: BSD-3-Clause
#include "generic/system/shared_memory.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <catch2/catch.hpp>

#include "generic/base/error.hpp"

using namespace earl;

TEST_CASE("shared memory is zeros, and the same for each owner of its descriptor") {
  SharedMemory const mine("test", 5000);
  REQUIRE(mine.size() == 5000);
  CHECK(mine.data()[4999] == std::byte{0});
  SharedMemory const theirs(Descriptor(::dup(mine.descriptor())), 5000, "a test");
  CHECK(theirs.size() == 5000);
  theirs.data()[4999] = std::byte{7};
  CHECK(mine.data()[4999] == std::byte{7});
}

TEST_CASE("a descriptor of no shared memory, or too little, is refused with the expected name") {
  SharedMemory const small("test", 100);
  CHECK_THROWS_WITH(SharedMemory(Descriptor(::dup(small.descriptor())), 101, "a job on PVM"),
                    Catch::Contains("is not the shared memory of a job on PVM"));
  CHECK_THROWS_WITH(SharedMemory(Descriptor(::open("/dev/null", O_RDWR)), 1, "a job on MPI"),
                    Catch::Contains("is not the shared memory of a job on MPI"));
  CHECK_THROWS_AS(SharedMemory(Descriptor{}, 1, "a test"), Error);
}
