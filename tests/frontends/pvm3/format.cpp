// SPDX-License-Identifier: BSD-3-Clause
// pvm_packf and pvm_unpackf.
#include <catch2/catch.hpp>
#include <string>

#include "tests/frontends/pvm3/task.hpp"

TEST_CASE("%+ starts a message, plain items are values, counted ones addresses") {
  Task task;
  int numbers[3] = {1, 2, 3};
  CHECK(pvm_packf("%+ %d, %hd %ld %c %f %lf %3d %s", PvmDataDefault, 10, 11, 12L, 'q', 1.5, 2.5,
                  numbers, "text") == 0);
  turn_around();
  int i = 0;
  short s = 0;
  long l = 0;
  char c = 0;
  float f = 0;
  double d = 0;
  int out[3] = {};
  char text[8] = {};
  CHECK(pvm_unpackf("%d %hd %ld %c %f %lf %3d %s", &i, &s, &l, &c, &f, &d, out, text) == 0);
  CHECK(i == 10);
  CHECK(s == 11);
  CHECK(l == 12);
  CHECK(c == 'q');
  CHECK(f == 1.5F);
  CHECK(d == 2.5);
  CHECK(out[2] == 3);
  CHECK(std::string(text) == "text");
}

TEST_CASE("count and stride may be arguments") {
  Task task;
  double grid[6] = {1, 2, 3, 4, 5, 6};
  CHECK(pvm_packf("%+%*.*lf", PvmDataRaw, 3, 2, grid) == 0);
  turn_around();
  double out[3] = {};
  CHECK(pvm_unpackf("%3lf", out) == 0);
  CHECK(out[0] == 1);
  CHECK(out[2] == 5);
}

TEST_CASE("u is a modifier and no letter; items before it are packed") {
  Task task;
  pvm_initsend(PvmDataDefault);
  CHECK(pvm_packf("%d %u", 1, 2) == PvmBadParam);
  CHECK(length_of(pvm_getsbuf()) == 4);
  CHECK(pvm_packf("%ud %uld %uhd", 1U, 2UL, 3) == 0);
}

TEST_CASE("complex numbers are always addresses") {
  Task task;
  float c[2] = {1, 2};
  double dc[2] = {3, 4};
  CHECK(pvm_packf("%+%x%lx", PvmDataDefault, c, dc) == 0);
  CHECK(length_of(pvm_getsbuf()) == 24);
}

TEST_CASE("in place, data at an address is taken when it is sent, and a value is kept") {
  Task task;
  int array[2] = {1, 2};
  char word[] = "one";
  CHECK(pvm_packf("%+%d %hd %f %lf %c %s %2d", PvmDataInPlace, 7, 8, 0.5, 1.5, 'c', word, array) ==
        0);
  array[1] = 3;
  word[0] = 'O';
  REQUIRE(pvm_send(task.tid, 1) == 0);
  REQUIRE(pvm_recv(-1, 1) > 0);
  CHECK(length_of(pvm_getrbuf()) == 4 + 2 + 4 + 8 + 1 + 4 + 4 + 8);
  int i = 0;
  short s = 0;
  float f = 0;
  double d = 0;
  char c = 0;
  char text[8] = "";
  int out[2] = {};
  CHECK(pvm_unpackf("%d %hd %f %lf %c %s %2d", &i, &s, &f, &d, &c, text, out) == 0);
  CHECK((i == 7 && s == 8 && f == 0.5F && d == 1.5 && c == 'c'));
  CHECK(std::string{text} == "One");
  CHECK((out[0] == 1 && out[1] == 3));
}

TEST_CASE("less than none is none") {
  Task task;
  int array[2] = {1, 2};
  CHECK(pvm_packf("%+%*d%d", PvmDataRaw, -1, array, 5) == 0);
  CHECK(length_of(pvm_getsbuf()) == 4);
  turn_around();
  CHECK(pvm_unpackf("%*d%d", -1, array, array + 1) == 0);
  CHECK((array[0] == 1 && array[1] == 5));
}

TEST_CASE("a buffer of an encoding that there is not is none") {
  Task task;
  CHECK(pvm_packf("%+", 3) == PvmBadParam);
}
