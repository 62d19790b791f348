// SPDX-License-Identifier: BSD-3-Clause
#include <catch2/catch.hpp>
#include <string>
#include <vector>

#include "frontends/nx/application.hpp"
#include "frontends/nx/errors.hpp"

namespace {

namespace nx = earl::nx;

/// A program's arguments, as main() gets them.
class Words {
 public:
  explicit Words(std::vector<std::string> words) : words_(std::move(words)) {
    for (auto& word : words_) pointers_.push_back(word.data());
    pointers_.push_back(nullptr);
    count = static_cast<std::int32_t>(words_.size());
  }
  char** argv() { return pointers_.data(); }
  std::vector<std::string> left() const { return {pointers_.begin(), pointers_.begin() + count}; }
  std::int32_t count = 0;

 private:
  std::vector<std::string> words_;
  std::vector<char*> pointers_{};
};

TEST_CASE("the system's switches are the system's, the others the program's") {
  Words words({"prog", "-sz", "3x4", "a", "-plk", "-mbf", "1000", "-v", "-pt", "5"});
  auto const size = nx::take_switches(words.count, words.argv());
  CHECK(words.left() == std::vector<std::string>{"prog", "a", "-v"});
  CHECK(words.argv()[3] == nullptr);
  REQUIRE(size);
  CHECK(size->rows == 3);
  CHECK(size->columns == 4);
}

TEST_CASE("a program's own name is no switch") {
  Words words({"-plk"});
  auto const size = nx::take_switches(words.count, words.argv());
  CHECK(words.left() == std::vector<std::string>{"-plk"});
  CHECK_FALSE(size);
}

TEST_CASE("an invalid size is reported") {
  for (auto const* size : {"", "x", "3x", "-4", "4y", "99999999999"})
    CHECK_THROWS_AS(nx::shape_of(size), nx::NxError);
  CHECK(nx::shape_of("12").columns == 12);
  Words words({"prog", "-sz"});
  CHECK_THROWS_AS(nx::take_switches(words.count, words.argv()), nx::NxError);
}

}  // namespace
