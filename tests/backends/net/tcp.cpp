// SPDX-License-Identifier: BSD-3-Clause
#include "backends/net/tcp/link.hpp"

#include <poll.h>

#include <catch2/catch.hpp>
#include <string>
#include <vector>

#include "generic/base/error.hpp"
#include "tests/backends/net/tcp_end.hpp"

using namespace earl;
using namespace earl::tcp;
using namespace earl::tcp::test;
using Catch::Matchers::Contains;

namespace {

/// Both ends go on until `done`.
template <class Done>
void until(End& one, End& other, Done const& done) {
  auto const deadline = Clock::now() + limit;
  while (!done()) {
    REQUIRE(Clock::now() < deadline);
    if (one.go_on() + other.go_on() == 0)
      one.link.sleep(Clock::now() + std::chrono::milliseconds{1});
  }
}

/// A peer that finds the port, sends `text`, and waits for the end.
void connect_and_write(End& at, std::string const& text) {
  auto const socket = connect_to(*socket_address_from(at.link.address()));
  auto const deadline = Clock::now() + limit;
  auto const before = at.link.rejected_connections();
  pollfd look{.fd = socket.get(), .events = POLLOUT, .revents = 0};
  REQUIRE(::poll(&look, 1, 10'000) == 1);
  REQUIRE(::send(socket.get(), text.data(), text.size(), MSG_NOSIGNAL) ==
          static_cast<ssize_t>(text.size()));
  while (at.link.rejected_connections() == before) {
    REQUIRE(Clock::now() < deadline);
    at.go_on();
  }
}

auto any_protection() {
  return GENERATE(Protection::none, Protection::authenticated, Protection::encrypted);
}

}  // namespace

TEST_CASE("tcp: frames arrive whole and in order, however many there are") {
  auto const secret = random_secret();
  auto const protection = any_protection();
  End one(secret, Rank{0}, protection);
  End other(secret, Rank{1}, protection);
  one.link.connect(Rank{1}, other.link.address());
  constexpr std::size_t count = 1000;
  std::size_t sent = 0;
  auto const frame = [](std::size_t n) {
    return std::string(n * 37 % largest_frame + 1, static_cast<char>('a' + n % 26));
  };
  until(one, other, [&] {
    while (sent < count && one.link.send(Rank{1}, bytes_in(frame(sent)))) ++sent;
    return other.received.frames.size() == count;
  });
  for (std::size_t n = 0; n < count; ++n) REQUIRE(other.received.frames[n] == frame(n));
  CHECK(other.link.may_receive_from(Rank{0}));
  until(one, other, [&] { return one.link.all_acknowledged(); });
}

TEST_CASE("tcp: sent data arrives although its sender has gone") {
  auto const secret = random_secret();
  auto const protection = any_protection();
  End other(secret, Rank{1}, protection);
  {
    End one(secret, Rank{0}, protection);
    one.link.connect(Rank{1}, other.link.address());
    until(one, other, [&] { return one.link.send(Rank{1}, bytes_in("last words")); });
  }
  auto const deadline = Clock::now() + limit;
  while (other.received.gone.empty() && Clock::now() < deadline) other.go_on();
  CHECK(other.received.frames == std::vector<std::string>{"last words"});
  CHECK(other.received.gone == std::vector{Rank{0}});
  CHECK_FALSE(other.link.may_receive_from(Rank{0}));
  CHECK(other.link.rejected_connections() == 0);
}

TEST_CASE("tcp: an unauthenticated peer on the port is dropped and counted, and the job goes on") {
  auto const secret = random_secret();
  End one(secret, Rank{0});
  End other(secret, Rank{1});
  connect_and_write(other, std::string(200, 'x'));
  SECTION("no other connection comes") {}
  SECTION("one who claims to belong to the job, with another secret") {
    End liar(random_secret(), Rank{2});
    liar.link.connect(Rank{1}, other.link.address());
    auto const before = other.link.rejected_connections();
    until(liar, other, [&] {
      REQUIRE_FALSE(liar.link.send(Rank{1}, bytes_in("let me in")));
      return other.link.rejected_connections() > before;
    });
  }
  one.link.connect(Rank{1}, other.link.address());
  until(one, other, [&] { return one.link.send(Rank{1}, bytes_in("hello")); });
  until(one, other, [&] { return !other.received.frames.empty(); });
  CHECK(other.received.frames == std::vector<std::string>{"hello"});
  CHECK(other.link.rejected_connections() >= 1);
}

TEST_CASE("tcp: a process that takes a port for another process's is dropped") {
  auto const secret = random_secret();
  End one(secret, Rank{0});
  End other(secret, Rank{1});
  one.link.connect(Rank{2}, other.link.address());
  until(one, other, [&] {
    REQUIRE_FALSE(one.link.send(Rank{2}, bytes_in("for another")));
    return other.link.rejected_connections() != 0;
  });
  CHECK(other.received.frames.empty());
}

TEST_CASE("tcp: a listener that is none of the job's gets nothing") {
  auto const listener = listen_at("127.0.0.1");
  Outgoing call(own_end(listener.get()));
  auto const deadline = Clock::now() + limit;
  auto const go_on = [&] {
    REQUIRE(Clock::now() < deadline);
    call.go_on({.trust = {.secret = random_secret()}, .from = Rank{0}, .to = Rank{1}});
  };
  Descriptor theirs;
  while (!theirs) {
    go_on();
    theirs = accept_from(listener.get());
  }
  auto const say = [&](Bytes word) {
    REQUIRE(::send(theirs.get(), word.data(), word.size(), MSG_NOSIGNAL) ==
            static_cast<ssize_t>(word.size()));
  };
  SECTION("another program") {
    say(bytes_in(std::string(sizeof(Challenge), 'x')));
    while (call.state() != Outgoing::State::broken) go_on();
    CHECK_THAT(call.reason(), Contains("not a process of Earl"));
  }
  SECTION("one without the secret") {
    auto const question = challenge();
    say(bytes_of(question));
    while (call.state() != Outgoing::State::claimed) go_on();
    say(bytes_in(std::string(sizeof(Proof), 'x')));
    while (call.state() != Outgoing::State::broken) go_on();
    CHECK_THAT(call.reason(), Contains("does not know this job's secret"));
  }
}

TEST_CASE("tcp: of too many peers that say nothing the oldest are dropped, and others get in") {
  constexpr std::uint32_t kept = 256;
  constexpr std::uint32_t more = 20;
  auto const secret = random_secret();
  End one(secret, Rank{0});
  End other(secret, Rank{1});
  auto const deadline = Clock::now() + limit;
  std::vector<Descriptor> silent;
  for (std::uint32_t n = 0; n < kept + more; ++n) {
    silent.push_back(connect_to(*socket_address_from(other.link.address())));
    other.go_on();
  }
  while (other.link.rejected_connections() < more) {
    REQUIRE(Clock::now() < deadline);
    other.go_on();
  }
  one.link.connect(Rank{1}, other.link.address());
  until(one, other, [&] { return one.link.send(Rank{1}, bytes_in("hello")); });
  until(one, other, [&] { return !other.received.frames.empty(); });
  CHECK(other.received.frames == std::vector<std::string>{"hello"});
  CHECK(other.link.rejected_connections() <= more + 1);
}

TEST_CASE(
    "tcp: a peer that does not read is not sent more than the system holds, and gets all later") {
  auto const secret = random_secret();
  auto const protection = any_protection();
  End one(secret, Rank{0}, protection);
  End other(secret, Rank{1}, protection);
  one.link.connect(Rank{1}, other.link.address());
  const std::string frame(largest_frame, 'f');
  until(one, other, [&] { return one.link.send(Rank{1}, bytes_in(frame)); });
  std::size_t sent = 1;
  while (one.link.send(Rank{1}, bytes_in(frame))) {
    ++sent;
    REQUIRE(sent < 100'000);
  }
  CHECK_FALSE(one.link.all_acknowledged());
  until(one, other, [&] { return other.received.frames.size() == sent; });
  until(one, other, [&] { return one.link.all_acknowledged(); });
}

TEST_CASE("tcp: a leaving process does not wait for one that has gone without reading") {
  auto const secret = random_secret();
  End one(secret, Rank{0});
  {
    End other(secret, Rank{1});
    one.link.connect(Rank{1}, other.link.address());
    const std::string frame(largest_frame, 'f');
    until(one, other, [&] { return one.link.send(Rank{1}, bytes_in(frame)); });
    while (one.link.send(Rank{1}, bytes_in(frame))) {
    }
    CHECK_FALSE(one.link.all_acknowledged());
  }
  one.link.close(Clock::now() + limit);
  CHECK(one.link.all_acknowledged());
}

TEST_CASE("tcp: wake() ends a sleep, also the next one") {
  End one(random_secret(), Rank{0});
  one.link.wake();
  one.link.sleep(never);
  CHECK(one.go_on() == 0);
}

TEST_CASE("tcp: a broken connection is reported, unless its end has been announced") {
  auto const secret = random_secret();
  End notified(secret, Rank{0});
  End unaware(secret, Rank{2});
  const std::string frame(largest_frame, 'f');
  {
    End other(secret, Rank{1});
    for (auto* one : {&notified, &unaware}) {
      one->link.connect(Rank{1}, other.link.address());
      until(*one, other, [&] { return one->link.send(Rank{1}, bytes_in(frame)); });
    }
  }
  for (auto* one : {&notified, &unaware})  // until it is notified
    for (auto const end = Clock::now() + limit; one->link.send(Rank{1}, bytes_in(frame));)
      REQUIRE(Clock::now() < end);
  notified.link.mark_ended(Rank{1});
  auto const seconds_pass = [&](End& one) {
    for (auto const end = Clock::now() + limit; Clock::now() < end;) {
      REQUIRE_NOTHROW(notified.go_on());
      if (one.go_on() == 0) one.link.sleep(Clock::now() + std::chrono::milliseconds{50});
    }
  };
  CHECK_THROWS_WITH(
      seconds_pass(unaware),
      Contains("the connection with rank 1 broke, and messages under way are lost: "));
}
