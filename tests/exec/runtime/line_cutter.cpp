// SPDX-License-Identifier: BSD-3-Clause
#include "exec/runtime/line_cutter.hpp"

#include <catch2/catch.hpp>

using earl::boot::LineCutter;

TEST_CASE("whole lines come out, the rest waits") {
  LineCutter cutter;
  CHECK(cutter.take("one\ntwo\nthr") == "one\ntwo\n");
  CHECK(cutter.has_rest());
  CHECK(cutter.take("ee") == "");
  CHECK(cutter.take("\n") == "three\n");
  CHECK_FALSE(cutter.has_rest());
}

TEST_CASE("the rest can be had before its line ends") {
  LineCutter cutter;
  CHECK(cutter.take("name? ") == "");
  CHECK(cutter.take_rest() == "name? ");
  CHECK_FALSE(cutter.has_rest());
  CHECK(cutter.take_rest() == "");
  CHECK(cutter.take("fine\n") == "fine\n");
}

TEST_CASE("a line without an end is cut through, in bounded memory") {
  LineCutter cutter;
  std::string const piece(LineCutter::most / 4, 'x');
  CHECK(cutter.take(piece) == "");
  CHECK(cutter.take(piece) == "");
  CHECK(cutter.take(piece) == "");
  CHECK(cutter.take(piece).size() == LineCutter::most);
  CHECK_FALSE(cutter.has_rest());
  CHECK(cutter.take("end\n") == "end\n");
}

TEST_CASE("bytes of any value pass through") {
  LineCutter cutter;
  std::string const bytes("\0\xff\r\n\0", 5);
  CHECK(cutter.take(bytes) == bytes.substr(0, 4));
  CHECK(cutter.take_rest() == bytes.substr(4));
}
