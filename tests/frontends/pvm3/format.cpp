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

TEST_CASE("u is a modifier and no letter; what came before it is packed") {
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

TEST_CASE("values cannot be packed in place") {
  Task task;
  CHECK(pvm_packf("%+%d", PvmDataInPlace, 1) == PvmNotImpl);
  CHECK(pvm_packf("%+%s", PvmDataInPlace, "x") == PvmNotImpl);
  CHECK(pvm_packf("%+", 3) == PvmBadParam);
}
