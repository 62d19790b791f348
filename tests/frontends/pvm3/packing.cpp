// SPDX-License-Identifier: BSD-3-Clause
// The manual's chapters on packing and unpacking, and the native library's behaviour beyond them.
#include <array>
#include <catch2/catch.hpp>
#include <cstring>
#include <string>
#include <vector>

#include "tests/frontends/pvm3/task.hpp"

namespace {

/// The bytes of the active send buffer as they travel.
std::string wire() {
  pvm_send(pvm_mytid(), 77);
  std::string bytes(4096, '\0');
  int length = 0;
  pvm_precv(-1, 77, bytes.data(), static_cast<int>(bytes.size()), PVM_BYTE, nullptr, nullptr,
            &length);
  bytes.resize(static_cast<std::size_t>(length));
  return bytes;
}

std::string bytes_of(std::vector<int> const& values) {
  std::string bytes;
  for (int const value : values) bytes += static_cast<char>(value);
  return bytes;
}

}  // namespace

TEST_CASE("XDR puts four big-endian bytes for everything up to an int") {
  Task task;
  pvm_initsend(PvmDataDefault);
  short small = -2;
  unsigned short large = 0xfffe;
  int value = 0x01020304;
  float real = 1.0F;
  pvm_pkshort(&small, 1, 1);
  pvm_pkushort(&large, 1, 1);
  pvm_pkint(&value, 1, 1);
  pvm_pkfloat(&real, 1, 1);
  CHECK(wire() == bytes_of({255, 255, 255, 254, 0, 0, 255, 254, 1, 2, 3, 4, 0x3f, 0x80, 0, 0}));
}

TEST_CASE("XDR pads the bytes of each call to a multiple of four") {
  Task task;
  pvm_initsend(PvmDataDefault);
  char text[] = "abcde";
  pvm_pkbyte(text, 3, 1);
  pvm_pkbyte(text + 3, 2, 1);
  CHECK(length_of(pvm_getsbuf()) == 8);
  CHECK(wire() == std::string("abc\0de\0\0", 8));
}

TEST_CASE("raw data are the program's bytes") {
  Task task;
  pvm_initsend(PvmDataRaw);
  int value = 0x01020304;
  char text[] = "ab";
  pvm_pkint(&value, 1, 1);
  pvm_pkbyte(text, 2, 1);
  CHECK(wire() == bytes_of({4, 3, 2, 1, 'a', 'b'}));
}

TEMPLATE_TEST_CASE_SIG("every type survives", "", ((int encoding), encoding), PvmDataDefault,
                       PvmDataRaw, PvmDataInPlace) {
  Task task;
  pvm_initsend(encoding);
  char b[3] = {'x', 'y', 'z'};
  short s[2] = {-3, 30000};
  unsigned short us[2] = {65535, 1};
  int i[2] = {-7, 2147483647};
  unsigned u[2] = {4294967295U, 7};
  long l[2] = {-5, 0x123456789a};
  unsigned long ul[2] = {0xfedcba9876543210UL, 1};
  float f[2] = {1.5F, -0.0F};
  double d[2] = {3.25, -1e300};
  float c[4] = {1, 2, 3, 4};
  double dc[4] = {5, 6, 7, 8};
  CHECK(pvm_pkbyte(b, 3, 1) == 0);
  CHECK(pvm_pkshort(s, 2, 1) == 0);
  CHECK(pvm_pkushort(us, 2, 1) == 0);
  CHECK(pvm_pkint(i, 2, 1) == 0);
  CHECK(pvm_pkuint(u, 2, 1) == 0);
  CHECK(pvm_pklong(l, 2, 1) == 0);
  CHECK(pvm_pkulong(ul, 2, 1) == 0);
  CHECK(pvm_pkfloat(f, 2, 1) == 0);
  CHECK(pvm_pkdouble(d, 2, 1) == 0);
  CHECK(pvm_pkcplx(c, 2, 1) == 0);
  CHECK(pvm_pkdcplx(dc, 2, 1) == 0);
  send_and_receive();

  char b2[3];
  short s2[2];
  unsigned short us2[2];
  int i2[2];
  unsigned u2[2];
  long l2[2];
  unsigned long ul2[2];
  float f2[2];
  double d2[2];
  float c2[4];
  double dc2[4];
  CHECK(pvm_upkbyte(b2, 3, 1) == 0);
  CHECK(pvm_upkshort(s2, 2, 1) == 0);
  CHECK(pvm_upkushort(us2, 2, 1) == 0);
  CHECK(pvm_upkint(i2, 2, 1) == 0);
  CHECK(pvm_upkuint(u2, 2, 1) == 0);
  CHECK(pvm_upklong(l2, 2, 1) == 0);
  CHECK(pvm_upkulong(ul2, 2, 1) == 0);
  CHECK(pvm_upkfloat(f2, 2, 1) == 0);
  CHECK(pvm_upkdouble(d2, 2, 1) == 0);
  CHECK(pvm_upkcplx(c2, 2, 1) == 0);
  CHECK(pvm_upkdcplx(dc2, 2, 1) == 0);
  CHECK(std::memcmp(b, b2, sizeof b) == 0);
  CHECK(std::memcmp(s, s2, sizeof s) == 0);
  CHECK(std::memcmp(us, us2, sizeof us) == 0);
  CHECK(std::memcmp(i, i2, sizeof i) == 0);
  CHECK(std::memcmp(u, u2, sizeof u) == 0);
  CHECK(std::memcmp(l, l2, sizeof l) == 0);
  CHECK(std::memcmp(ul, ul2, sizeof ul) == 0);
  CHECK(std::memcmp(f, f2, sizeof f) == 0);
  CHECK(std::memcmp(d, d2, sizeof d) == 0);
  CHECK(std::memcmp(c, c2, sizeof c) == 0);
  CHECK(std::memcmp(dc, dc2, sizeof dc) == 0);
  CHECK(pvm_upkbyte(b2, 1, 1) == PvmNoData);
}

TEMPLATE_TEST_CASE_SIG("strides count elements, a complex number being one", "",
                       ((int encoding), encoding), PvmDataDefault, PvmDataRaw) {
  Task task;
  pvm_initsend(encoding);
  int matrix[6] = {1, 2, 3, 4, 5, 6};
  float pairs[8] = {1, 2, 3, 4, 5, 6, 7, 8};
  pvm_pkint(matrix, 3, 2);
  pvm_pkcplx(pairs, 2, 3);
  pvm_pkint(matrix + 1, 2, 0);
  turn_around();

  int column[6] = {};
  float complex_out[8] = {};
  int twice[2] = {};
  CHECK(pvm_upkint(column, 3, 2) == 0);
  CHECK(pvm_upkcplx(complex_out, 2, 2) == 0);
  CHECK(pvm_upkint(twice, 2, 1) == 0);
  CHECK(std::vector<int>(column, column + 6) == std::vector<int>{1, 0, 3, 0, 5, 0});
  CHECK(std::vector<float>(complex_out, complex_out + 8) ==
        std::vector<float>{1, 2, 0, 0, 7, 8, 0, 0});
  CHECK(twice[0] == 2);
  CHECK(twice[1] == 2);
}

TEST_CASE("items packed one by one may be read at once") {
  Task task;
  pvm_initsend(PvmDataDefault);
  for (int i = 0; i < 4; ++i) pvm_pkint(&i, 1, 1);
  turn_around();
  int all[4] = {};
  CHECK(pvm_upkint(all, 4, 1) == 0);
  CHECK(std::vector<int>(all, all + 4) == std::vector<int>{0, 1, 2, 3});
}

TEST_CASE("reading past the end stores the rest, returns NoData, and stays at the end") {
  Task task;
  pvm_initsend(PvmDataDefault);
  int values[2] = {8, 9};
  pvm_pkint(values, 2, 1);
  turn_around();
  int out[3] = {0, 0, -1};
  CHECK(pvm_upkint(out, 3, 1) == PvmNoData);
  CHECK(out[0] == 8);
  CHECK(out[2] == -1);
  char byte = 0;
  CHECK(pvm_upkbyte(&byte, 1, 1) == PvmNoData);
  CHECK(pvm_upkbyte(&byte, 0, 1) == 0);
}

TEST_CASE("a failed read leaves nothing behind for a smaller one") {
  Task task;
  pvm_initsend(PvmDataRaw);
  char bytes[6] = {1, 2, 3, 4, 5, 6};
  pvm_pkbyte(bytes, 6, 1);
  turn_around();
  double value = 0;
  char byte = 0;
  CHECK(pvm_upkdouble(&value, 1, 1) == PvmNoData);
  CHECK(pvm_upkbyte(&byte, 1, 1) == PvmNoData);
}

TEST_CASE("parameters are checked before buffers") {
  Task task;
  int value = 0;
  CHECK(pvm_pkint(&value, -1, 1) == PvmBadParam);
  CHECK(pvm_pkint(&value, 1, 1) == PvmNoBuf);
  CHECK(pvm_pkint(&value, 0, 1) == PvmNoBuf);
  CHECK(pvm_upkint(&value, -1, 1) == PvmBadParam);
  CHECK(pvm_upkint(&value, 1, 1) == PvmNoBuf);
}

TEST_CASE("a string carries its length, the NUL counted") {
  Task task;
  char text[] = "abc";
  pvm_initsend(PvmDataDefault);
  pvm_pkstr(text);
  CHECK(wire() == std::string("\0\0\0\4abc\0", 8));
  pvm_initsend(PvmDataRaw);
  pvm_pkstr(text);
  CHECK(wire() == std::string("\4\0\0\0abc\0", 8));
  turn_around();
  char out[4] = {};
  CHECK(pvm_upkstr(out) == 0);
  CHECK(std::string(out) == "abc");
}

TEST_CASE("a string that the message does not hold is not touched") {
  Task task;
  pvm_initsend(PvmDataDefault);
  int length = 1000;
  pvm_pkint(&length, 1, 1);
  turn_around();
  char out[4] = "ok";
  CHECK(pvm_upkstr(out) == PvmNoData);
  CHECK(std::string(out) == "ok");
}

TEST_CASE("in place means: copied by the send, not by the pack") {
  Task task;
  int const id = pvm_initsend(PvmDataInPlace);
  int value = 1;
  char text[] = "no";
  CHECK(pvm_pkint(&value, 1, 1) == 0);
  CHECK(pvm_pkint(&value, 1, 2) == PvmNotImpl);
  CHECK(pvm_pkint(&value, 0, 2) == PvmNotImpl);
  CHECK(pvm_pkstr(text) == PvmNotImpl);
  CHECK(length_of(id) == 0);
  value = 2;
  pvm_send(task.tid, 1);
  CHECK(length_of(id) == 0);
  value = 3;
  CHECK(length_of(pvm_recv(-1, 1)) == 4);
  int out = 0;
  CHECK(pvm_upkint(&out, 1, 1) == 0);
  CHECK(out == 2);
}

TEST_CASE("data in place and unsent cannot be read, as in PVM") {
  Task task;
  pvm_initsend(PvmDataInPlace);
  int value = 1;
  pvm_pkint(&value, 1, 1);
  turn_around();
  CHECK(pvm_upkint(&value, 1, 1) == PvmBadMsg);
}

TEST_CASE("a message inside a message comes out as a new buffer") {
  Task task;
  int value = 42;
  int const inner = pvm_initsend(PvmDataDefault);
  pvm_pkint(&value, 1, 1);
  pvm_setsbuf(0);
  int const outer = pvm_initsend(PvmDataDefault);
  CHECK(pvm_pkmesg(outer) == PvmBadParam);
  CHECK(pvm_pkmesg(inner) == 0);
  CHECK(length_of(outer) == 40);
  pvm_freebuf(inner);
  int const received = send_and_receive();
  int const extracted = pvm_upkmesg();
  REQUIRE(extracted > 0);
  CHECK(pvm_getrbuf() == received);
  pvm_setrbuf(extracted);
  value = 0;
  CHECK(pvm_upkint(&value, 1, 1) == 0);
  CHECK(value == 42);
  pvm_freebuf(extracted);
  pvm_freebuf(received);
}

TEST_CASE("a message inside a message: eight numbers, the length, the body") {
  Task task;
  int value = 42;
  int const encoding = GENERATE(PvmDataDefault, PvmDataRaw, PvmDataInPlace);
  int const inner = pvm_initsend(PvmDataDefault);
  pvm_pkint(&value, 1, 1);
  pvmminfo const about{
      .len = 0, .ctx = 3, .tag = 5, .wid = 6, .enc = 0, .crc = 0, .src = 7, .dst = 8};
  pvm_setminfo(inner, const_cast<pvmminfo*>(&about));
  pvm_setsbuf(0);
  pvm_initsend(encoding);
  CHECK(pvm_pkmesg(inner) == 0);
  pvm_freebuf(inner);
  int const received = send_and_receive();
  std::array<int, 9> words{};
  CHECK(pvm_upkint(words.data(), 9, 1) == 0);
  CHECK(words == std::array<int, 9>{4, 3, 5, 6, 0x10000000, 0, 7, 8, 4});
  pvm_freebuf(received);
}

TEST_CASE("pkmesgbody wants the same encoding, also in place") {
  Task task;
  int value = 5;
  int const inner = pvm_initsend(PvmDataInPlace);
  pvm_pkint(&value, 1, 1);
  pvm_setsbuf(0);
  pvm_initsend(PvmDataRaw);
  CHECK(pvm_pkmesgbody(inner) == PvmMismatch);
  int const other = pvm_setsbuf(0);
  pvm_initsend(PvmDataInPlace);
  CHECK(pvm_pkmesgbody(other) == PvmMismatch);
  CHECK(pvm_pkmesgbody(inner) == 0);
  pvm_freebuf(inner);
  value = 0;
  CHECK(length_of(send_and_receive()) == 4);
  CHECK(pvm_upkint(&value, 1, 1) == 0);
  CHECK(value == 5);
  pvm_freebuf(other);
}

TEST_CASE("pkmesgbody wants the same encoding") {
  Task task;
  int value = 5;
  int const inner = pvm_initsend(PvmDataRaw);
  pvm_pkint(&value, 1, 1);
  pvm_setsbuf(0);
  pvm_initsend(PvmDataDefault);
  CHECK(pvm_pkmesgbody(inner) == PvmMismatch);
  pvm_initsend(PvmDataRaw);
  CHECK(pvm_pkmesgbody(inner) == 0);
  CHECK(length_of(pvm_getsbuf()) == 4);
  pvm_freebuf(inner);
}
