// SPDX-License-Identifier: BSD-3-Clause
#include "generic/system/mapped_file.hpp"

#include <fcntl.h>

#include <catch2/catch.hpp>

#include "generic/base/error.hpp"

using namespace earl;

TEST_CASE("a mapped file shows its bytes") {
  MappedFile const self("/proc/self/exe");
  REQUIRE(self.bytes().size() > 4);
  CHECK(self.bytes()[1] == std::byte{'E'});
  CHECK(::fcntl(self.descriptor(), F_GETFD) == FD_CLOEXEC);
}

TEST_CASE("a mapped file may be empty") { CHECK(MappedFile("/dev/null").bytes().empty()); }

TEST_CASE("a mapped file must be there") {
  CHECK_THROWS_WITH(MappedFile("no-such-file"),
                    "no-such-file cannot be read: No such file or directory");
}
