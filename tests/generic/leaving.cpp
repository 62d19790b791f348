// SPDX-License-Identifier: BSD-3-Clause
/// Leaving the job on a back end that keeps nothing: the process stays until its messages have been
/// accepted, never until they are matched.
#include <catch2/catch.hpp>

#include "tests/generic/network.hpp"
#include "tests/generic/words.hpp"

using namespace earl;
using namespace earl::test;

namespace {

bool same(Message const& message, std::vector<std::byte> const& data) {
  return std::equal(data.begin(), data.end(), message.body.data(),
                    message.body.data() + message.body.size());
}

}  // namespace

TEST_CASE("a process leaves before its long messages are requested, and they arrive") {
  Network network{2, plain};
  std::vector<std::size_t> const sizes{5000, 3, 65, 400};
  network.run([&](Process& me) {
    if (me.rank() == Rank{0}) {
      for (auto const size : sizes) me.send(to(1, static_cast<int>(size)), Bytes{pattern(size)});
      return;
    }
    // Moves messages, asks for none, until the sender has gone.
    while (network.alive(0)) me.progress(), me.idle();
    for (auto size = sizes.rbegin(); size != sizes.rend(); ++size)
      CHECK(same(me.take(tagged(static_cast<int>(*size))), pattern(*size)));
  });
  CHECK(network.reported_leaving(0));
}

TEST_CASE("a receive takes over in the middle of a leaving sender's transfer") {
  const std::size_t room = GENERATE(100U, 3000U, 9000U);
  Network network{2, plain};
  auto const data = pattern(9000);
  network.run([&](Process& me) {
    if (me.rank() == Rank{0}) return me.send(to(1, 1), Bytes{data});
    for (int i = 0; i < 3; ++i) me.idle();  // a few pieces have come
    std::vector<std::byte> got(room);
    const Completion done = me.receive(tagged(1), MutableBytes{got});
    CHECK(done.delivered == room);
    CHECK(done.truncated == (room < data.size()));
    CHECK(std::equal(got.begin(), got.end(), data.begin()));
  });
}

TEST_CASE("a transfer that a leaving sender brings in pieces is not expected whole any more") {
  Network network{2, {.moves = true}};
  auto const data = pattern(9000);
  network.run([&](Process& me) {
    if (me.rank() == Rank{0}) return me.send(to(1, 1), Bytes{data});
    while (!network.reported_leaving(0)) me.idle();
    std::vector<std::byte> got(data.size());
    CHECK(me.receive(tagged(1), MutableBytes{got}).delivered == data.size());
    CHECK(got == data);
  });
  CHECK(network.brought() == 0);
  CHECK(network.direct_receives() + network.lent() == 0);
}

TEST_CASE("small, empty and synchronous messages are brought too") {
  const std::size_t size = GENERATE(0U, 8U, 64U, 500U);
  Network network{2, plain};
  auto const data = pattern(size);
  network.run([&](Process& me) {
    if (me.rank() == Rank{0}) {
      auto const open = me.start_send(to(1, 1, Mode::synchronous), Bytes{data});
      static_cast<void>(open);
      return;
    }
    while (network.alive(0)) me.idle();
    CHECK(same(me.take(tagged(1)), data));
  });
}

TEST_CASE("two that leave at once accept each other's messages") {
  Network network{2, plain};
  auto const data = pattern(3000);
  network.run([&](Process& me) { me.send(to(1 - number(me.rank()), 1), Bytes{data}); });
}

TEST_CASE("no process stays for a receiver that has ended") {
  Network network{2, plain};
  network[0].send(to(1, 1), Bytes{pattern(3000)});
  network.run_until_quiet();
  network.kill(1);
  network[0].leave();
  CHECK(network.reported_leaving(0));
}

TEST_CASE("a sender that dies half-way leaves a message that is lost, not one to wait for") {
  Network network{2, plain};
  network[0].send(to(1, 1), Bytes{pattern(3000)});
  network.run_until_quiet();
  network.kill(0);
  network.run_until_quiet();
  std::vector<std::byte> got(3000);
  CHECK(network[1].receive({.source = Rank{0}}, MutableBytes{got}).lost);
}

TEST_CASE("a sender that dies before it has brought anything leaves nothing expected") {
  Network network{2, {.moves = true}};
  auto const data = pattern(3000);
  auto const open = network[0].start_send(to(1, 1, Mode::standard), Bytes{data});
  static_cast<void>(open);
  network[1].progress();
  std::vector<std::byte> got(3000);
  auto const request = network[1].start_receive({.source = Rank{0}}, MutableBytes{got});
  network.kill(0);
  CHECK(network[1].wait(request).lost);
  CHECK(network.direct_receives() == 0);
}

TEST_CASE("a process that is stopped at the end of its record has sent all its messages") {
  Network network{2, plain};
  std::vector<std::size_t> const sizes{3, 5000, 65};
  constexpr int more = 40;  // than a channel holds
  network.run([&](Process& me) {
    if (me.rank() == Rank{0}) {
      for (int i = 0; i < more; ++i) me.send(to(1, 1), Bytes{pattern(8)});
      for (auto const size : sizes) me.send(to(1, static_cast<int>(size)), Bytes{pattern(size)});
      try {
        me.debugged().stop_when_sent(85, "the end");
      } catch (Quit const& quit) {
        CHECK(quit.code == 85);
      }
      return;
    }
    while (network.alive(0)) me.idle();
    for (int i = 0; i < more; ++i) CHECK(same(me.take(tagged(1)), pattern(8)));
    for (auto const size : sizes)
      CHECK(same(me.take(tagged(static_cast<int>(size))), pattern(size)));
  });
}

TEST_CASE("a process is stopped although a receiver has ended") {
  Network network{2, plain};
  network[0].send(to(1, 1), Bytes{pattern(3000)});
  network.run_until_quiet();
  network.kill(1);
  CHECK_THROWS_AS(network[0].debugged().stop_when_sent(85, "the end"), Quit);
}

TEST_CASE("a back end that keeps leaves at once") {
  Network network{2, {.remote_readable = true, .packets_outlive_sender = true}};
  network[0].send(to(1, 1), Bytes{pattern(3000)});
  network[0].leave();
  CHECK_FALSE(network.reported_leaving(0));
}
