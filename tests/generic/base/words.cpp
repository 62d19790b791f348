// SPDX-License-Identifier: BSD-3-Clause
/// Words of text.
#include "generic/base/words.hpp"

#include <catch2/catch.hpp>

using namespace earl;
using namespace std::string_literals;
using Words = std::vector<std::string>;

TEST_CASE("words have any number of blanks between them") {
  CHECK(split_words("") == Words{});
  CHECK(split_words(" \t ") == Words{});
  CHECK(split_words("  valgrind -q\t./x\n") == Words{"valgrind", "-q", "./x"});
}

TEST_CASE("parts end with a zero, the last one may lack it") {
  CHECK(split_at_zeros("") == Words{});
  CHECK(split_at_zeros("a b\0\0c\0"s) == Words{"a b", "", "c"});
  CHECK(split_at_zeros("a\0c"s) == Words{"a", "c"});
}

TEST_CASE("pointers to words end with a null") {
  const Words words{"a", ""};
  auto const pointers = pointers_to(words);
  REQUIRE(pointers.size() == 3);
  CHECK(pointers[0] == words[0].data());
  CHECK(*pointers[1] == '\0');
  CHECK(pointers[2] == nullptr);
}
