// SPDX-License-Identifier: BSD-3-Clause
#include "debug/breakpoints/breakpoint.hpp"

#include <catch2/catch.hpp>

#include "generic/base/error.hpp"

namespace earl::breakpoints {

TEST_CASE("a breakpoint has the conditions that it names") {
  auto const at = parse_breakpoint("rank=3,call=crecv,at=src/racy.c:31,peer=2,tag=-7,nth=5");
  CHECK(at.rank == 3);
  CHECK(at.call == "crecv");
  CHECK(at.file == "racy.c");
  CHECK(at.line == 31);
  CHECK(at.peer == 2);
  CHECK(at.tag == -7);
  CHECK(at.nth == 5);
  CHECK(at.wants_message());
  auto const one = parse_breakpoint("call=gsync");
  CHECK_FALSE(one.rank);
  CHECK(one.nth == 1);
  CHECK_FALSE(one.wants_message());
}

TEST_CASE("a breakpoint fits messages by peer and tag") {
  Envelope envelope;
  envelope.tag = Tag{7};
  CHECK(parse_breakpoint("tag=7").fits(envelope, Rank{4}));
  CHECK(parse_breakpoint("peer=4").fits(envelope, Rank{4}));
  CHECK(parse_breakpoint("peer=4,tag=7").fits(envelope, Rank{4}));
  CHECK_FALSE(parse_breakpoint("peer=4,tag=8").fits(envelope, Rank{4}));
  CHECK_FALSE(parse_breakpoint("peer=3,tag=7").fits(envelope, Rank{4}));
}

TEST_CASE("texts that are no breakpoint are refused") {
  auto const [text, sentence] = GENERATE(table<std::string, std::string>({
      {"", "\"\": KEY=VALUE is needed, as in rank=3,call=crecv,at=racy.c:31"},
      {"crecv", "\"crecv\": KEY=VALUE is needed, as in rank=3,call=crecv,at=racy.c:31"},
      {"call=", "call=: a value is needed"},
      {"rank=one", "rank=one: a number is needed"},
      {"tag=99999999999", "tag=99999999999: a number is needed"},
      {"nth=0", "nth=0: the first is nth=1"},
      {"nth=-1", "nth=-1: a number is needed"},
      {"at=racy.c", "at=racy.c: FILE:LINE is needed"},
      {"at=racy.c:0", "at=racy.c:0: FILE:LINE is needed"},
      {"at=:3", "at=:3: FILE:LINE is needed"},
      {"rank=1,rank=2", "key rank is given twice: give it once"},
      {"colour=red", "colour=red: a breakpoint has rank, call, at, peer, tag and nth"},
  }));
  CHECK_THROWS_WITH(parse_breakpoint(text), sentence);
}

}  // namespace earl::breakpoints
