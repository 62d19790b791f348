// SPDX-License-Identifier: BSD-3-Clause
#include "generic/packing.hpp"

#include <catch2/catch.hpp>

#include <array>
#include <string>
#include <vector>

#include "generic/base/byte_order.hpp"
#include "generic/base/gray_code.hpp"

using namespace earl;

namespace {

template <class T>
std::string packed(Element element, std::vector<T> const& values, Encoding encoding,
                   std::size_t count, std::ptrdiff_t stride = 1) {
  const Items items{.element = element, .count = count, .stride = stride};
  std::vector<std::byte> bytes(packed_size(items, encoding));
  pack(items, values.data(), encoding, bytes);
  std::string hex;
  for (auto const byte : bytes) {
    constexpr char const* digits = "0123456789abcdef";
    hex += digits[std::to_integer<unsigned>(byte) >> 4];
    hex += digits[std::to_integer<unsigned>(byte) & 15U];
  }
  return hex;
}

template <class T>
void check_there_and_back(Element element, std::vector<T> const& values, std::size_t count) {
  for (const Encoding encoding : {Encoding::raw, Encoding::xdr}) {
    const Items items{.element = element, .count = count};
    std::vector<std::byte> bytes(packed_size(items, encoding));
    pack(items, values.data(), encoding, bytes);
    std::vector<T> again(values.size());
    const Unpacked got = unpack(items, bytes, encoding, again.data());
    CHECK(got.all);
    CHECK(got.bytes == bytes.size());
    CHECK(again == values);
    if (bytes.empty()) continue;
    CHECK_FALSE(unpack(items, Bytes{bytes}.first(bytes.size() / 2), encoding, again.data()).all);
  }
}

}  // namespace

TEST_CASE("XDR is as in RFC 4506") {
  auto const xdr = Encoding::xdr;
  CHECK(packed<char>(Element::byte, {'a', 'b', 'c'}, xdr, 3) == "61626300");
  CHECK(packed<short>(Element::short_integer, {-2, 3}, xdr, 2) == "fffffffe00000003");
  CHECK(packed<unsigned short>(Element::unsigned_short, {65535}, xdr, 1) == "0000ffff");
  CHECK(packed<int>(Element::integer, {-5, 0x01020304}, xdr, 2) == "fffffffb01020304");
  CHECK(packed<unsigned>(Element::unsigned_integer, {0xfffefdfc}, xdr, 1) == "fffefdfc");
  CHECK(packed<long>(Element::long_integer, {-5}, xdr, 1) == "fffffffffffffffb");
  CHECK(packed<unsigned long>(Element::unsigned_long, {0x12'3456'789a}, xdr, 1) ==
        "000000123456789a");
  CHECK(packed<int>(Element::logical, {1, 0}, xdr, 2) == "0000000100000000");
  CHECK(packed<float>(Element::real, {1.5F}, xdr, 1) == "3fc00000");
  CHECK(packed<double>(Element::double_real, {-2.0}, xdr, 1) == "c000000000000000");
  CHECK(packed<float>(Element::complex, {1.5F, -1.5F}, xdr, 1) == "3fc00000bfc00000");
  CHECK(packed<double>(Element::double_complex, {1.0, 2.0}, xdr, 1) ==
        "3ff00000000000004000000000000000");
}

TEST_CASE("every type comes out as it went in, and a short message is noticed") {
  check_there_and_back<char>(Element::byte, {'a', 0, '\xff', 'z', 'q'}, 5);
  check_there_and_back<short>(Element::short_integer, {-32768, 32767, 0}, 3);
  check_there_and_back<unsigned short>(Element::unsigned_short, {0, 65535}, 2);
  check_there_and_back<int>(Element::integer, {INT32_MIN, -1, INT32_MAX}, 3);
  check_there_and_back<unsigned>(Element::unsigned_integer, {0, UINT32_MAX}, 2);
  check_there_and_back<long>(Element::long_integer, {INT64_MIN, -1, INT64_MAX}, 3);
  check_there_and_back<unsigned long>(Element::unsigned_long, {UINT64_MAX}, 1);
  check_there_and_back<int>(Element::logical, {-1, 0, 1}, 3);
  check_there_and_back<float>(Element::real, {-0.1F, 1e30F}, 2);
  check_there_and_back<double>(Element::double_real, {0.1, -1e300}, 2);
  check_there_and_back<float>(Element::complex, {1, 2, 3, 4}, 2);
  check_there_and_back<double>(Element::double_complex, {1, 2, 3, 4}, 2);
}

TEST_CASE("a stride counts elements, pairs for complex numbers") {
  std::vector<int> const numbers{1, 2, 3, 4, 5, 6};
  CHECK(packed(Element::integer, numbers, Encoding::xdr, 3, 2) == "000000010000000300000005");
  CHECK(packed(Element::integer, numbers, Encoding::xdr, 2, 0) == "0000000100000001");
  std::vector<float> const pairs{1, 2, 3, 4, 5, 6};
  CHECK(packed(Element::complex, pairs, Encoding::raw, 2, 2) == "0000803f000000400000a0400000c040");
  std::array<int, 6> spread{};
  std::vector<std::byte> bytes(12);
  pack({.element = Element::integer, .count = 3}, numbers.data(), Encoding::xdr, bytes);
  unpack({.element = Element::integer, .count = 3, .stride = 2}, bytes, Encoding::xdr,
         spread.data());
  CHECK(spread == std::array{1, 0, 2, 0, 3, 0});
}

TEST_CASE("a text carries its length, and a false length is no text") {
  const Encoding encoding = GENERATE(Encoding::raw, Encoding::xdr);
  const std::string_view text{"abcde\0", 6};
  std::vector<std::byte> bytes(packed_size(text, encoding));
  CHECK(bytes.size() == (encoding == Encoding::xdr ? 12 : 10));
  pack(text, encoding, bytes);
  auto const got = unpack_text(bytes, encoding);
  REQUIRE(got);
  CHECK(got->text == text);
  CHECK(got->bytes == bytes.size());
  for (std::size_t cut = 0; cut < 10; ++cut)
    CHECK_FALSE(unpack_text(Bytes{bytes}.first(cut), encoding));
  bytes[0] = bytes[3] = std::byte{0xff};
  CHECK_FALSE(unpack_text(bytes, encoding));
}

TEST_CASE("sizes in memory are those of the C types") {
  CHECK(size_of(Element::byte) == 1);
  CHECK(size_of(Element::short_integer) == 2);
  CHECK(size_of(Element::logical) == 4);
  CHECK(size_of(Element::long_integer) == sizeof(long));
  CHECK(size_of(Element::double_complex) == 16);
}

TEST_CASE("numbers of another byte order are turned round, and back") {
  auto const other =
      std::endian::native == std::endian::big ? std::endian::little : std::endian::big;
  std::array<short, 2> shorts{0x0102, -2};
  reorder(std::span{shorts}, other, std::endian::native);
  CHECK(shorts == std::array<short, 2>{0x0201, static_cast<short>(0xfeff)});
  std::array<std::int32_t, 1> integers{0x01020304};
  reorder(std::span{integers}, std::endian::native, other);
  CHECK(integers[0] == 0x04030201);
  std::array<double, 2> const numbers{0.1, -1e300};
  auto doubles = numbers;
  reorder(std::span{doubles}, other, std::endian::native);
  CHECK(doubles != numbers);
  reorder(std::span{doubles}, other, std::endian::native);
  CHECK(doubles == numbers);
  reorder(std::span{doubles}, std::endian::native, std::endian::native);
  CHECK(doubles == numbers);
}

TEST_CASE("neighbouring Gray code words differ in one bit, and the inverse finds the way back") {
  CHECK(gray_code(0) == 0);
  CHECK(gray_code(5) == 7);
  for (std::uint32_t i = 0; i < 1000; ++i) {
    CHECK(__builtin_popcount(gray_code(i) ^ gray_code(i + 1)) == 1);
    CHECK(inverse_gray_code(gray_code(i)) == i);
  }
  CHECK(inverse_gray_code(gray_code(0xdead'beef)) == 0xdead'beef);
}
