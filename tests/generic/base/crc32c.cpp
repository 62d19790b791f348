// SPDX-License-Identifier: BSD-3-Clause
#include "generic/base/crc32c.hpp"

#include <catch2/catch.hpp>
#include <span>
#include <vector>

using namespace earl;

TEST_CASE("the checksum is the published CRC-32C") {
  CHECK(crc32c(std::as_bytes(std::span{"123456789", 9})) == 0xe306'9283);
  CHECK(crc32c(std::as_bytes(std::span{"6789", 4}), crc32c(std::as_bytes(std::span{"12345", 5}))) ==
        0xe306'9283);
  CHECK(crc32c(std::byte{'9'}, crc32c(std::as_bytes(std::span{"12345678", 8}))) == 0xe306'9283);
}

TEST_CASE("CRC-32C is the same byte by byte, in one go, and in pieces") {
  for (std::size_t const size : {0U, 1U, 7U, 8U, 17U, 1000U}) {
    std::vector<std::byte> bytes(size);
    std::uint32_t slow = 0;
    for (std::size_t i = 0; i < size; ++i) {
      bytes[i] = static_cast<std::byte>(i * 167 + i / 7);
      slow = crc32c(bytes[i], slow);
    }
    auto const all = Bytes{bytes};
    CHECK(crc32c(all) == slow);
    CHECK(crc32c(all.subspan(size / 3), crc32c(all.first(size / 3))) == slow);
  }
}
