// SPDX-License-Identifier: BSD-3-Clause
/// The checks of sent messages: hashes of their bytes, and records of them.
#include "debug/trace/sends.hpp"

#include <catch2/catch.hpp>

#include <limits>
#include <string>
#include <vector>

#include "debug/trace/fingerprint.hpp"

using namespace earl;
using namespace earl::trace;

namespace {

std::uint64_t hash_of(std::string const& text) {
  return content_hash(Gather{std::as_bytes(std::span{text})}, 0);
}

std::vector<Sent> read_text(std::string text) {
  SendsAhead ahead;
  ahead.add(std::move(text));
  std::vector<Sent> read;
  while (auto const sent = ahead.take()) read.push_back(*sent);
  return read;
}

/// Puts them into as many records as that takes, and reads these.
std::vector<Sent> written_and_read(std::vector<Sent> const& all, std::size_t* bytes = nullptr) {
  Sends sends;
  std::vector<Sent> read;
  auto const end_record = [&] {
    if (bytes != nullptr) *bytes += sends.text().size();
    for (auto const& sent : read_text(std::string{sends.text()})) read.push_back(sent);
    sends.clear();
  };
  for (auto const& sent : all) {
    sends.add(sent);
    if (sends.full()) end_record();
  }
  end_record();
  return read;
}

/// Rounds of messages to four neighbours.
std::vector<Sent> stencil(int rounds, int tag_step) {
  std::vector<Sent> all;
  for (int i = 0; i < 4 * rounds; ++i)
    all.push_back({.length = 800,
                   .dest = i % 4,
                   .tag = i / 4 * tag_step,
                   .check = static_cast<std::uint16_t>(i * 7919)});
  return all;
}

}  // namespace

TEST_CASE("each bit of a short message counts in the check of its bytes") {
  for (std::size_t size = 0; size <= 24; ++size) {
    std::string text(size, 'x');
    auto const plain = static_cast<std::uint16_t>(hash_of(text));
    std::size_t unnoticed = 0;
    for (std::size_t bit = 0; bit < 8 * size; ++bit) {
      auto other = text;
      other[bit / 8] = static_cast<char>(other[bit / 8] ^ 1 << bit % 8);
      CHECK(hash_of(other) != hash_of(text));
      if (static_cast<std::uint16_t>(hash_of(other)) == plain) ++unnoticed;
    }
    CHECK(unnoticed == 0);
    CHECK(hash_of(std::string(size + 1, 'x')) != hash_of(text));
  }
}

TEST_CASE("checks of short messages that count up are spread evenly") {
  std::vector<int> seen(1U << 16);
  for (std::uint64_t value = 0; value < seen.size(); ++value) {
    std::string text(8, '\0');
    std::memcpy(text.data(), &value, text.size());
    ++seen[static_cast<std::uint16_t>(hash_of(text))];
  }
  // As many values stay without a number as at random: one in e.
  auto const unused = std::ranges::count(seen, 0);
  CHECK(unused > 22'000);
  CHECK(unused < 26'000);
}

TEST_CASE("a message in pieces has a check, too") {
  std::string const text = "0123456789";
  auto const bytes = std::as_bytes(std::span{text});
  std::vector<Bytes> const pieces{bytes.first(4), bytes.subspan(4)};
  std::vector<Bytes> const others{bytes.first(4), bytes.subspan(3, 6)};
  CHECK(content_hash(Gather{std::span{pieces}}, 0) != content_hash(Gather{std::span{others}}, 0));
}

TEST_CASE("a message's check does not depend on bytes that are part of no value") {
  auto const check = [](char filling, char value, Padding const& padding) {
    std::string text(32, filling);
    text.replace(0, 10, 10, value).replace(16, 10, 10, value);
    auto const bytes = std::as_bytes(std::span{text});
    auto const pattern = Pattern::of_blocks(bytes.size(), 1, 0).with(padding);
    return content_hash(Gather{bytes.data(), pattern}, 0);
  };
  Padding const known{16, 10};
  CHECK(check('x', 'a', known) == check('y', 'a', known));
  CHECK(check('x', 'a', known) != check('x', 'b', known));
  CHECK(check('x', 'a', {}) != check('y', 'a', {}));
  auto const unknown = Padding::joined(known, 16, {}, 1000);
  CHECK(check('x', 'a', unknown) == check('y', 'b', unknown));
}

TEST_CASE("records of sent messages are read as they were written") {
  constexpr auto lowest = std::numeric_limits<std::int32_t>::min();
  constexpr auto highest = std::numeric_limits<std::int32_t>::max();
  std::vector<Sent> all = stencil(200, 1);
  std::uint32_t random = 1;
  for (int i = 0; i < 3000; ++i) {
    random = random * 1'664'525 + 1'013'904'223;
    auto const kind = random >> 29;
    all.push_back({.length = kind == 0 ? random : 8,
                   .dest = static_cast<std::int32_t>(random >> 20 & 63),
                   .tag = kind == 1   ? highest
                          : kind == 2 ? lowest
                                      : static_cast<int>(kind),
                   .check = static_cast<std::uint16_t>(random >> 5)});
  }
  for (auto const& sent : stencil(300, 0)) all.push_back(sent);
  all.push_back({.length = std::numeric_limits<std::uint64_t>::max(), .dest = lowest, .tag = 0});
  CHECK(written_and_read(all) == all);
  CHECK(written_and_read({{}}) == std::vector<Sent>{{}});
}

TEST_CASE("messages that follow a pattern take little more than their checks") {
  for (auto const tag_step : {0, 1}) {
    auto const all = stencil(1000, tag_step);
    std::size_t bytes = 0;
    CHECK(written_and_read(all, &bytes) == all);
    CHECK(static_cast<double>(bytes) < 2.3 * static_cast<double>(all.size()));
  }
}

TEST_CASE("a damaged record of sent messages is read as far as it goes") {
  Sends sends;
  for (auto const& sent : stencil(10, 1)) sends.add(sent);
  std::string const text{sends.text()};
  for (std::size_t size = 0; size < text.size(); ++size) {
    CHECK(read_text(text.substr(0, size)).size() < 40);
  }
  for (int byte = 0; byte < 256; ++byte) {
    auto other = text;
    other[0] = static_cast<char>(byte);
    CHECK(read_text(other).size() <= other.size() / 2);
  }
}

TEST_CASE("the fingerprint differs by each member of a message and by their order") {
  auto const value_of = [](std::vector<Sent> const& all) {
    Fingerprint fingerprint;
    for (auto const& sent : all) fingerprint.send(sent);
    return fingerprint.value();
  };
  const Sent one{.length = 8, .dest = 1, .tag = 7, .check = 99};
  std::vector<Sent> const others{{.length = 9, .dest = 1, .tag = 7, .check = 99},
                                 {.length = 8, .dest = 2, .tag = 7, .check = 99},
                                 {.length = 8, .dest = 1, .tag = 8, .check = 99},
                                 {.length = 8, .dest = 1, .tag = 7, .check = 98}};
  for (auto const& other : others) {
    CHECK(value_of({one}) != value_of({other}));
    CHECK(value_of({one, other}) != value_of({other, one}));
  }
}
