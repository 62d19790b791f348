// SPDX-License-Identifier: BSD-3-Clause
#include "generic/prober.hpp"

#include <catch2/catch.hpp>

#include "tests/generic/lone_engine.hpp"

using namespace earl;
using namespace earl::test;

TEST_CASE("a probe sees the oldest message that fits, and leaves it") {
  LoneEngine lone;
  Prober& prober = lone.engine.prober();
  CHECK_FALSE(prober.try_probe(tagged(5)));
  lone.arrive(4, Bytes{});
  lone.arrive(5, Bytes{pattern(8)});
  lone.arrive(5, Bytes{});
  CHECK(prober.try_probe(tagged(5))->envelope.length == 8);
  CHECK(prober.probe(tagged(5)).id == MessageId{Rank{1}, 1});
  CHECK(lone.engine.receiver().unexpected().size() == 3);
}

TEST_CASE("a try takes a message that is here, and does not wait for one") {
  LoneEngine lone;
  CHECK_FALSE(lone.engine.prober().try_take(tagged(5), {}));
  lone.arrive(5, Bytes{pattern(8)});
  auto const message = lone.engine.prober().try_take(tagged(5), {});
  REQUIRE(message);
  CHECK(message->body.size() == 8);
  CHECK(lone.engine.receiver().unexpected().size() == 0);
}

TEST_CASE("polls take what is here before they bring more, and bring more now and then") {
  LoneEngine lone;
  Prober& prober = lone.engine.prober();
  auto const& unexpected = lone.engine.receiver().unexpected();
  lone.arrive(5, Bytes{});
  lone.send(5);
  CHECK(prober.try_take(tagged(5), {}));
  CHECK(unexpected.size() == 0);
  CHECK(prober.try_probe(tagged(5)));
  CHECK(unexpected.size() == 1);
  lone.send(4);
  CHECK(prober.try_probe(tagged(5)));
  CHECK(unexpected.size() == 1);
  for (int i = 0; i < 1000 && unexpected.size() == 1; ++i) CHECK(prober.try_probe(tagged(5)));
  CHECK(unexpected.size() == 2);
}

TEST_CASE("a poll finds what has arrived behind other messages, of which a port hands over a few") {
  LoneEngine lone;
  lone.port.per_poll = 1;
  Prober& prober = lone.engine.prober();
  for (int i = 0; i < 5; ++i) lone.send(4);
  lone.send(5);
  lone.send(6);
  CHECK(prober.try_take(tagged(5), {}));
  CHECK(lone.engine.receiver().unexpected().size() == 5);
  CHECK(lone.port.arriving.size() == 1);  // it has stopped there
  lone.send(7);
  CHECK(prober.try_probe(tagged(7)));
  for (int i = 0; i < 1000; ++i) lone.send(4);
  CHECK_FALSE(prober.try_probe(tagged(8)));
  CHECK_FALSE(lone.port.arriving.empty());  // an endless sender does not keep it
}

TEST_CASE("of several specs the one that accepts the oldest message counts") {
  LoneEngine lone;
  const std::array specs{tagged(4), tagged(5)};
  lone.arrive(5, Bytes{pattern(8)});
  lone.arrive(4, Bytes{});
  auto const [position, message] = lone.engine.prober().take_any_of(specs);
  CHECK(position == 1);
  CHECK(message.body.size() == 8);
  CHECK(lone.engine.prober().receive_any_of(specs, Scatter{}).first == 0);
}

TEST_CASE("flush drops what is here and fits, or what is beyond a room") {
  LoneEngine lone;
  for (int i = 0; i < 4; ++i) lone.arrive(5, Bytes{pattern(10)});
  lone.arrive(4, Bytes{});
  CHECK(lone.engine.prober().flush_beyond(tagged(5), 25) == 2);
  CHECK(lone.engine.receiver().unexpected().size() == 3);
  CHECK(lone.engine.prober().flush(tagged(5)) == 2);
  CHECK(lone.engine.receiver().unexpected().size() == 1);
}
