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

TEST_CASE("memory of another process is found by its name, and by no other") {
  SharedMemory made("found-by-name", 5000);
  auto const found = SharedMemory::find(::getpid(), "found-by-name", 5000);
  found->data()[4999] = std::byte{7};
  CHECK(made.data()[4999] == std::byte{7});
  CHECK_THROWS_WITH(SharedMemory::find(::getpid(), "found-by-nam", 1),
                    Catch::Contains("has no memory found-by-nam, or"));
  CHECK_THROWS_WITH(SharedMemory::find(::getpid(), "found-by-name", 5001),
                    Catch::Contains("is not the shared memory of found-by-name"));
  // No process has that number.
  CHECK_THROWS_WITH(SharedMemory::find(0, "found-by-name", 1),
                    Catch::Contains("No such file or directory"));
}

TEST_CASE("memory stays mapped without its descriptor, where it is found no more") {
  SharedMemory made("closed", 100);
  auto const found = SharedMemory::find(::getpid(), "closed", 100);
  made.close_descriptor();
  found->close_descriptor();
  CHECK_THROWS_AS(SharedMemory::find(::getpid(), "closed", 100), Error);
  found->data()[99] = std::byte{3};
  CHECK(made.data()[99] == std::byte{3});
}

TEST_CASE("private memory is zeros, and more of it than the machine has costs nothing unused") {
  auto const memory = private_memory(std::size_t{1} << 32);
  CHECK(memory.get()[0] == std::byte{0});
  memory.get()[(std::size_t{1} << 32) - 1] = std::byte{1};
  CHECK(memory.get()[(std::size_t{1} << 32) - 1] == std::byte{1});
}
