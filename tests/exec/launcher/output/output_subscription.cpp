// SPDX-License-Identifier: BSD-3-Clause
#include "exec/launcher/output/output_subscription.hpp"

#include <catch2/catch.hpp>

using namespace earl;
using namespace earl::exec;

namespace {

struct Subscription {
  int calls = 0;
  OutputSubscription output{*subscription_request_in("EARL_TELL_OUTPUT=3 9 77 1000 100 1234"),
                            Rank{1}, 2, [this] { ++calls; }};

  Subscription() {
    output.begin();
    output.begin();
  }
};

std::string in_xdr(std::string_view length, std::string_view rest) {
  return std::string("\0\0\x04\xb1", 4) + std::string(length) + std::string(rest);
}

}  // namespace

TEST_CASE("a spawner names a subscriber, or the variable is malformed") {
  auto const request = subscription_request_in("EARL_TELL_OUTPUT=3 9 -77 1000 100 1234");
  REQUIRE(request);
  CHECK(request->to == Rank{3});
  CHECK(request->context == Context{9});
  CHECK(request->tag == Tag{-77});
  CHECK(request->parent == 1234);
  CHECK_FALSE(subscription_request_in("EARL_TELL_OUTPUT=3 9 77"));
  CHECK_FALSE(subscription_request_in("EARL_TELL_OUTPUT=-1 9 77 1000 100 1234"));
  CHECK_FALSE(subscription_request_in("EARL_TELL_OUTPUTS=3 9 77 1000 100 1234"));
  CHECK_FALSE(subscription_request_in("HOME=3 9 77 1000 100 1234"));
}

TEST_CASE("output comes in pieces, and the end when both streams have ended") {
  Subscription subscription;
  CHECK(subscription.output.pieces().empty());
  CHECK(subscription.output.take(1, "hello"));
  CHECK(subscription.output.take(0, std::string(5000, 'x')));
  CHECK(subscription.calls == 2);
  auto const both = subscription.output.pieces();
  REQUIRE(both.size() == 2);
  CHECK(both[0].bytes == OutputSubscription::most_piece);
  CHECK_FALSE(both[0].last);
  CHECK(subscription.output.message(both[1]) ==
        in_xdr({"\0\0\0\5", 4}, std::string_view{"hello\0\0\0", 8}));
  CHECK(subscription.output.message(both[0]).size() == 8 + 4000);
  subscription.output.end();
  subscription.output.end();
  auto const rest = subscription.output.pieces();
  REQUIRE(rest.size() == 1);
  CHECK(rest[0].bytes == 5000 - OutputSubscription::most_piece);
  CHECK(rest[0].last);
  subscription.output.message(rest[0]);
  CHECK_FALSE(subscription.output.over());
  auto const end = subscription.output.pieces();
  REQUIRE(end.size() == 1);
  CHECK(subscription.output.message(end[0]) == in_xdr({"\0\0\0\0", 4}, {}));
  CHECK(subscription.output.over());
  CHECK_FALSE(subscription.output.take(0, "late"));
}

TEST_CASE("without a subscriber, the rest comes back") {
  Subscription subscription;
  subscription.output.take(0, std::string(OutputSubscription::plenty, 'x'));
  CHECK(subscription.output.full());
  subscription.output.message({.writer = Rank{1}, .bytes = 10});
  CHECK_FALSE(subscription.output.full());
  CHECK(subscription.output.give_up().size() == OutputSubscription::plenty - 10);
  CHECK(subscription.output.over());
  CHECK_FALSE(subscription.output.take(0, "more"));
  CHECK(subscription.output.pieces().empty());
}
