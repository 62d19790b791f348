// SPDX-License-Identifier: BSD-3-Clause
#include "frontends/mpi/access_message.hpp"

#include <array>
#include <catch2/catch.hpp>
#include <cstring>

using namespace earl;
using namespace earl::mpi;

namespace {

std::array<std::byte, 64> numbered_bytes() {
  std::array<std::byte, 64> bytes{};
  for (std::size_t i = 0; i < bytes.size(); ++i) bytes[i] = static_cast<std::byte>(i);
  return bytes;
}

std::vector<std::byte> packed(MemoryLayout const& layout, std::byte const* base) {
  std::vector<std::byte> result(layout.size());
  Pattern(layout, 1, 0).copy_out(base, 0, result.data(), result.size());
  return result;
}

MemoryLayout after_travel(MemoryLayout const& layout) {
  LayoutWords words;
  write(layout, words);
  return read_layout(words);
}

}  // namespace

TEST_CASE("a layout has the same bytes after it has travelled") {
  auto const memory = numbered_bytes();
  auto const block = MemoryLayout::block(4);
  MemoryLayout mixed = block;
  mixed.append(MemoryLayout::block(2), 9);
  for (auto const& layout : {MemoryLayout{}, block, block.repeated(3, 8), mixed,
                             mixed.repeated(3, 16), mixed.repeated(2, 11).repeated(2, 30)})
    CHECK(packed(after_travel(layout), memory.data()) == packed(layout, memory.data()));
}

TEST_CASE("a request that has arrived has the head, the layout and the data") {
  LayoutWords words;
  write(MemoryLayout::block(4).repeated(2, 8), words);
  AccessHead const head{
      .access = Access::put, .words = static_cast<std::uint32_t>(words.size()), .displacement = 7};
  auto const data = numbered_bytes();
  std::array const pieces{Bytes{bytes_of(head)}, std::as_bytes(std::span{words}),
                          Bytes{data}.first(8)};
  Buffer const message{Gather{pieces}};
  ReceivedAccess const received(message.bytes());
  CHECK(received.head.access == Access::put);
  CHECK(received.head.displacement == 7);
  CHECK(received.layout.size() == 8);
  CHECK(received.data.size() == 8);
  CHECK(std::memcmp(received.data.data(), data.data(), 8) == 0);
}
