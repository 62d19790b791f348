// SPDX-License-Identifier: BSD-3-Clause
#include <catch2/catch.hpp>
#include <string>
#include <vector>

#include "frontends/nx/application.hpp"
#include "frontends/nx/errors.hpp"

namespace {

namespace nx = earl::nx;

/// A program's arguments, as main() gets them.
class Arguments {
 public:
  explicit Arguments(std::vector<std::string> arguments) : arguments_(std::move(arguments)) {
    for (auto& word : arguments_) pointers_.push_back(word.data());
    pointers_.push_back(nullptr);
    count = static_cast<std::int32_t>(arguments_.size());
  }
  char** argv() { return pointers_.data(); }
  std::vector<std::string> left() const { return {pointers_.begin(), pointers_.begin() + count}; }
  std::int32_t count = 0;

 private:
  std::vector<std::string> arguments_;
  std::vector<char*> pointers_{};
};

TEST_CASE("the system's switches are the system's, the others the program's") {
  Arguments arguments({"prog", "-sz", "3x4", "a", "-plk", "-mbf", "1000", "-v", "-pt", "5"});
  auto const size = nx::take_switches(arguments.count, arguments.argv());
  CHECK(arguments.left() == std::vector<std::string>{"prog", "a", "-v"});
  CHECK(arguments.argv()[3] == nullptr);
  REQUIRE(size);
  CHECK(size->rows == 3);
  CHECK(size->columns == 4);
}

TEST_CASE("a program's own name is no switch") {
  Arguments arguments({"-plk"});
  auto const size = nx::take_switches(arguments.count, arguments.argv());
  CHECK(arguments.left() == std::vector<std::string>{"-plk"});
  CHECK_FALSE(size);
}

TEST_CASE("an invalid size is reported") {
  for (auto const* size : {"", "x", "3x", "-4", "4y", "99999999999"})
    CHECK_THROWS_AS(nx::shape_of(size), nx::NxError);
  CHECK(nx::shape_of("12").columns == 12);
  Arguments arguments({"prog", "-sz"});
  CHECK_THROWS_AS(nx::take_switches(arguments.count, arguments.argv()), nx::NxError);
}

}  // namespace
