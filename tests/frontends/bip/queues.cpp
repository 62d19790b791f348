// SPDX-License-Identifier: BSD-3-Clause
#include "frontends/bip/queues.hpp"

#include <catch2/catch.hpp>

using namespace earl::bip;

namespace {

constexpr std::uint32_t short_words = 64;

int taken_until_full(Queues& queues, std::uint32_t words) {
  int count = 0;
  while (queues.take(1, 5, words)) ++count;
  return count;
}

}  // namespace

TEST_CASE("a sized queue holds the promised messages, and more of smaller ones") {
  Queues eights{2, 0, short_words}, ones{2, 0, short_words};
  eights.resize(1, {.tag = 5, .words = 10 * (8 + header_words)});
  ones.resize(1, {.tag = 5, .words = 10 * (8 + header_words)});
  CHECK(taken_until_full(eights, 8) == 10);
  CHECK(taken_until_full(ones, 1) == 24);
  CHECK(eights.take(1, 6, 64));  // other queues are their own
  eights.credited(1, 5, 8 + header_words);
  CHECK(taken_until_full(eights, 8) == 1);
  CHECK(eights.never_fits(1, 5, 117));
  CHECK_FALSE(eights.never_fits(1, 5, 116));
}

TEST_CASE("a sized queue sends credit at once, others when a quarter is free") {
  Queues here{2, 1, short_words};
  here.resize(1, {.tag = 5, .words = 120});
  CHECK(here.freed(0, 5, 8) == 12);
  std::uint32_t returned = 0;
  int messages = 0;
  while (returned == 0) returned = here.freed(0, 6, 64), ++messages;
  CHECK(messages == 16);
  CHECK(returned == 16 * 68);
}

TEST_CASE("a sender whose messages have all been received may go on, however few reports it got") {
  Queues sender{2, 0, short_words}, receiver{2, 1, short_words};
  for (int i = 0; i < 10'000; ++i) {
    REQUIRE(sender.take(1, 5, static_cast<std::uint32_t>(i % 65)));
    sender.credited(1, 5, receiver.freed(0, 5, static_cast<std::uint32_t>(i % 65)));
  }
  CHECK(taken_until_full(sender, 64) >= 64);
}

TEST_CASE("with many nodes each may send sixteen messages") {
  Queues many{100, 0, short_words};
  CHECK(taken_until_full(many, 64) >= 99 * 16);
}

TEST_CASE("shared as on Myrinet, all senders together never take more than there is") {
  Queues one{4, 0, short_words};
  one.share(true);
  one.resize(1, {.tag = 5, .words = 120});
  CHECK(3 * taken_until_full(one, 1) * (1 + 4) <= 120);
}
