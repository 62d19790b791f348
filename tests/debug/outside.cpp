// SPDX-License-Identifier: BSD-3-Clause
/// Tools of one's own: the text of a use, and a half in EXEC that cannot begin.
#include <catch2/catch.hpp>

#include "debug/outside/job_adapter.hpp"
#include "debug/outside/sentences.hpp"
#include "generic/base/error.hpp"

namespace earl::outside {

using Catch::Matchers::Contains;

TEST_CASE("a use is its number, path and argument") {
  auto const use = parse_use(text_of(2, "/nowhere/b.so", "x:y/z"));
  CHECK(use.path == "/nowhere/b.so");
  CHECK(use.argument == "x:y/z");
  CHECK(text_of(1, "/nowhere/b.so", "") == "1/nowhere/b.so");
  CHECK(parse_use("1/nowhere/b.so").argument.empty());
}

TEST_CASE("two uses of one library have their own notes") {
  CHECK(parse_use("1/a.so").note_name != parse_use("2/a.so").note_name);
  CHECK(parse_use("1/a.so").note_name == parse_use("1/a.so:x").note_name);
}

TEST_CASE("a half in EXEC whose library is gone is refused") {
  CHECK_THROWS_WITH(JobAdapter(parse_use("1/nowhere/none.so"), {}),
                    Contains("--tool /nowhere/none.so cannot be loaded"));
}

TEST_CASE("sentences name the tool") {
  CHECK(stop_text("/a.so", "") == "the tool /a.so ends the job: it gives no reason");
  CHECK_THAT(wrong_verdict_text("/a.so", 3, "EARL_JOB_DIED", false),
             Contains("returned 3 at EARL_JOB_DIED") && Contains("EARL_TOOL_STEERS"));
}

}  // namespace earl::outside
