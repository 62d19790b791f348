// SPDX-License-Identifier: BSD-3-Clause
#include "generic/base/sealed_frames.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <string>

using namespace earl;

namespace {

using OpenState = FrameOpener::Opened::State;

constexpr std::size_t largest = 1000;

SessionKey some_key() {
  auto const secret = random_secret();
  auto const question = challenge();
  return session_keys(secret, question, claim(secret, question, 1, 2)).from_caller;
}

struct Line {
  explicit Line(Protection protection, SessionKey const& key = some_key())
      : sealer(key, protection), opener(key, protection, largest) {}

  FrameSealer sealer;
  FrameOpener opener;

  std::vector<std::byte> sealed(std::string const& text) {
    auto const bytes = sealer.seal(Gather{std::as_bytes(std::span{text})});
    return {bytes.begin(), bytes.end()};
  }
};

std::string text_in(Bytes bytes) {
  return {reinterpret_cast<char const*>(bytes.data()), bytes.size()};
}

void add_to(std::vector<std::byte>& to, std::vector<std::byte> const& more) {
  to.insert(to.end(), more.begin(), more.end());
}

auto any_protection() {
  return GENERATE(Protection::none, Protection::authenticated, Protection::encrypted);
}
auto any_seal() { return GENERATE(Protection::authenticated, Protection::encrypted); }

}  // namespace

TEST_CASE(
    "sealed frames come out as they went in, of any length, and are whole only with their end") {
  Line line(any_protection());
  std::vector<std::byte> stream;
  for (std::size_t const length : {0U, 1U, 17U, 1000U}) {
    auto const text = std::string(length, 'a');
    stream = line.sealed(text);
    for (std::size_t n = 0; n < stream.size(); n += 7)
      REQUIRE(line.opener.open(MutableBytes{stream}.first(n)).state == OpenState::incomplete);
    auto const opened = line.opener.open(stream);
    REQUIRE(opened.state == OpenState::whole);
    CHECK(opened.taken == stream.size());
    CHECK(text_in(opened.frame) == text);
  }
}

TEST_CASE("a frame that claims more bytes than any has is damaged before they have come") {
  Line line(any_protection());
  auto const stream = line.sealed(std::string(largest + 1, 'a'));
  for (auto const size : {sizeof(FramePrefix), stream.size()}) {
    auto begin = std::vector(stream.begin(), stream.begin() + static_cast<std::ptrdiff_t>(size));
    CHECK(line.opener.open(begin).state == OpenState::damaged);
  }
}

TEST_CASE("sealed frames of several pieces, one behind the other in a stream") {
  Line line(any_protection());
  std::string const one = "one";
  std::string const two = "two";
  std::array<Bytes, 2> const pieces{std::as_bytes(std::span{one}), std::as_bytes(std::span{two})};
  auto const sealed = line.sealer.seal(Gather{std::span<Bytes const>{pieces}});
  std::vector<std::byte> stream(sealed.begin(), sealed.end());
  add_to(stream, line.sealed("three"));
  auto const first = line.opener.open(stream);
  CHECK(text_in(first.frame) == "onetwo");
  CHECK(text_in(line.opener.open(MutableBytes{stream}.subspan(first.taken)).frame) == "three");
}

TEST_CASE("a sealed frame of which one bit has changed is damaged, whichever it is") {
  auto const protection = any_seal();
  auto const key = some_key();
  Line made(protection, key);
  auto const stream = made.sealed("attack at dawn");
  for (std::size_t bit = 0; bit < 8 * stream.size(); ++bit) {
    Line line(protection, key);
    auto changed = stream;
    changed[bit / 8] ^= std::byte{1} << (bit % 8);
    REQUIRE(line.opener.open(changed).state == OpenState::damaged);
  }
}

TEST_CASE("a sealed frame that comes twice, too early, or of another session is damaged") {
  Line line(any_seal());
  auto first = line.sealed("first");
  auto second = line.sealed("second");
  SECTION("too early: one was left out, or they changed places") {
    CHECK(line.opener.open(second).state == OpenState::damaged);
  }
  SECTION("twice") {
    auto again = first;
    CHECK(line.opener.open(first).state == OpenState::whole);
    CHECK(line.opener.open(again).state == OpenState::damaged);
  }
  SECTION("another session") {
    Line other(line.sealer.protection());
    CHECK(other.opener.open(first).state == OpenState::damaged);
  }
}

TEST_CASE("a sealed frame shows its content, an encrypted one does not") {
  auto const protection = any_seal();
  Line line(protection);
  auto const stream = line.sealed("attack at dawn");
  bool const shown = text_in(stream).find("attack") != std::string::npos;
  CHECK(shown == (protection == Protection::authenticated));
}

TEST_CASE("both ends of a handshake have the same keys, another for each way and session") {
  auto const secret = random_secret();
  auto const question = challenge();
  auto const answer = claim(secret, question, 1, 2);
  auto const keys = session_keys(secret, question, answer);
  CHECK(session_keys(secret, question, answer).to_caller == keys.to_caller);
  CHECK(keys.from_caller != keys.to_caller);
  CHECK(session_keys(secret, challenge(), answer).from_caller != keys.from_caller);
  CHECK(session_keys(random_secret(), question, answer).from_caller != keys.from_caller);
}
