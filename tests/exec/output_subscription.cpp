#include "exec/launcher/output/output_subscription.hpp"

#include <catch2/catch.hpp>

using namespace earl;
using namespace earl::exec;

namespace {

struct Told {
  int news = 0;
  OutputSubscription output{*subscription_request_in("EARL_TELL_OUTPUT=3 9 77 1000 100 1234"),
                            Rank{1}, 2, [this] { ++news; }};

  Told() {
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
  Told told;
  CHECK(told.output.pieces().empty());
  CHECK(told.output.take(1, "hello"));
  CHECK(told.output.take(0, std::string(5000, 'x')));
  CHECK(told.news == 2);
  auto const both = told.output.pieces();
  REQUIRE(both.size() == 2);
  CHECK(both[0].bytes == OutputSubscription::most_piece);
  CHECK_FALSE(both[0].last);
  CHECK(told.output.message(both[1]) ==
        in_xdr({"\0\0\0\5", 4}, std::string_view{"hello\0\0\0", 8}));
  CHECK(told.output.message(both[0]).size() == 8 + 4000);
  told.output.end();
  told.output.end();
  auto const rest = told.output.pieces();
  REQUIRE(rest.size() == 1);
  CHECK(rest[0].bytes == 5000 - OutputSubscription::most_piece);
  CHECK(rest[0].last);
  told.output.message(rest[0]);
  CHECK_FALSE(told.output.over());
  auto const end = told.output.pieces();
  REQUIRE(end.size() == 1);
  CHECK(told.output.message(end[0]) == in_xdr({"\0\0\0\0", 4}, {}));
  CHECK(told.output.over());
  CHECK_FALSE(told.output.take(0, "late"));
}

TEST_CASE("without a subscriber, the rest comes back") {
  Told told;
  told.output.take(0, std::string(OutputSubscription::plenty, 'x'));
  CHECK(told.output.full());
  told.output.message({.writer = Rank{1}, .bytes = 10});
  CHECK_FALSE(told.output.full());
  CHECK(told.output.give_up().size() == OutputSubscription::plenty - 10);
  CHECK(told.output.over());
  CHECK_FALSE(told.output.take(0, "more"));
  CHECK(told.output.pieces().empty());
}
