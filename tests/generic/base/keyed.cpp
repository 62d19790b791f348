// SPDX-License-Identifier: BSD-3-Clause
#include "generic/base/keyed.hpp"

#include <catch2/catch.hpp>

#include "generic/base/hex.hpp"

using namespace earl;

namespace {

Secret counting() {
  Secret secret{};
  for (std::size_t i = 0; i < secret.size(); ++i) secret[i] = static_cast<std::byte>(i);
  return secret;
}

}  // namespace

// HMAC-SHA-512 cut to 256 bits, as Python's hmac computes it.
TEST_CASE("a seal is libsodium's keyed hash") {
  std::array<std::byte, 1> const zero{};
  CHECK(to_hex(seal(counting(), {})) ==
        "b04a70f45e9529968060f0026344d5f4da59f1c3ce228245f6bb088d7b8aa9fc");
  CHECK(to_hex(seal(counting(), zero)) ==
        "7c6c99c3c1579ceb26d996e0c43fbb09ecbf30844d0a2d03702ad41bef442c81");
}

TEST_CASE("a secret is the same after it was written down") {
  auto const secret = random_secret();
  CHECK(secret_from_hex(to_hex(secret)) == secret);
  CHECK_FALSE(secret_from_hex("00"));
  CHECK_FALSE(secret_from_hex(std::string(64, 'x')));
  CHECK(random_secret() != random_secret());
}

TEST_CASE("both ends of a handshake believe an end that knows the secret, and no other") {
  auto const secret = random_secret();
  auto const question = challenge();
  REQUIRE(is_challenge(question));
  auto const answer = claim(secret, question, 3, 4);
  CHECK(verifies(secret, question, answer));
  auto const last = proof(secret, question, answer);
  CHECK(verifies(secret, question, answer, last));
  SECTION("another secret") {
    auto const other = random_secret();
    CHECK_FALSE(verifies(secret, question, claim(other, question, 3, 4)));
    CHECK_FALSE(verifies(secret, question, answer, proof(other, question, answer)));
  }
  SECTION("somebody else's name") {
    auto forged = answer;
    forged.from = 5;
    CHECK_FALSE(verifies(secret, question, forged));
  }
  SECTION("an answer that was received before") {
    CHECK_FALSE(verifies(secret, challenge(), answer));
  }
  SECTION("its own seal sent back") {
    CHECK_FALSE(verifies(secret, question, answer, Proof{.seal = answer.seal}));
  }
}
