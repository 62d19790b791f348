// SPDX-License-Identifier: BSD-3-Clause
#include "generic/base/iovecs.hpp"

#include <catch2/catch.hpp>
#include <cstdint>
#include <string>
#include <vector>

using namespace earl;

namespace {

std::string together(Iovecs const& iovecs) {
  std::string text;
  for (auto const& one : iovecs.all())
    text.append(static_cast<char const*>(one.iov_base), one.iov_len);
  return text;
}

Bytes bytes(std::string_view text) { return std::as_bytes(std::span{text}); }

struct Padded {
  std::uint64_t wide;
  std::int32_t narrow;
};
static_assert(!Unpadded<Padded> && Unpadded<std::uint64_t> && Unpadded<double>);

}  // namespace

TEST_CASE("head and payload come one after the other, however many pieces there are") {
  CHECK(together(Iovecs(bytes("head"), Gather{})) == "head");
  CHECK(together(Iovecs(bytes("head"), bytes("payload"))) == "headpayload");
  for (std::size_t count = 0; count < 40; ++count) {
    const std::vector<Bytes> pieces(count, bytes("ab"));
    std::string expected = "head";
    for (std::size_t i = 0; i < count; ++i) expected += "ab";
    CHECK(together(Iovecs(bytes("head"), Gather{pieces})) == expected);
  }
}
