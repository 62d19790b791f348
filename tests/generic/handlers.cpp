// SPDX-License-Identifier: BSD-3-Clause
/// Handlers: once and standing, when they run, and that a replay can run them where they ran.
#include "generic/handlers.hpp"

#include <catch2/catch.hpp>

#include "tests/generic/network.hpp"
#include "tests/generic/words.hpp"

using namespace earl;
using namespace earl::test;

namespace {

/// A program's handler: records its arguments, then runs the test's action.
struct Log {
  std::vector<std::string> lines;
  std::function<void()> then;

  void wrote(std::string line) {
    lines.push_back(std::move(line));
    if (then) then();
  }
  CompletionHandler once() {
    return {[](void* with, Completion const& done) {
              static_cast<Log*>(with)->wrote(
                  fmt::format("tag {} length {}", number(done.envelope.tag), done.envelope.length));
            },
            this};
  }
  MessageHandler standing() {
    return {[](void* with, Message message) {
              static_cast<Log*>(with)->wrote(fmt::format(
                  "{} says {}", number(message.envelope.source), text(message.body.bytes())));
            },
            this};
  }
};

struct Memory {
  std::array<std::byte, 400> bytes{};
  Scatter room() { return Scatter{MutableBytes{bytes}}; }
};

Bytes word(char const* text) { return std::as_bytes(std::span{text, std::strlen(text)}); }

using Lines = std::vector<std::string>;

}  // namespace

TEST_CASE("a receive's handler runs once, at the next call after its message has come") {
  const std::size_t size = GENERATE(0U, 8U, 400U);
  Network network{2, exposing};
  Log log;
  Memory memory;
  network[1].handlers().on_completion(network[1].start_receive(tagged(7), memory.room()),
                                      log.once());
  const std::vector<std::byte> data(size);
  network[0].send(to(1, 7), Bytes{data});
  network[0].send(to(1, 7), Bytes{data});
  network.run_until_quiet();
  CHECK(log.lines == Lines{fmt::format("tag 7 length {}", size)});
  CHECK(network[1].take(tagged(7)).envelope.length == size);
}

TEST_CASE("the begin of any API call is a place where handlers run") {
  Network network{2, exposing};
  Log log;
  Memory memory;
  network[1].handlers().on_completion(network[1].start_receive(tagged(7), memory.room()),
                                      log.once());
  network[0].send(to(1, 7), {});
  network[1].handlers().mask(true);
  network[1].progress();
  network[1].enter({.name = "mynode"});
  CHECK(log.lines.empty());
  CHECK(network[1].handlers().mask(false));
  CHECK(log.lines.size() == 1);
}

TEST_CASE("a call that a handler interrupts goes on behind it") {
  Network network{2, exposing};
  Log log;
  Memory memory;
  log.then = [&] { network[1].enter({.name = "mynode"}); };
  network[1].handlers().on_completion(network[1].start_receive(tagged(7), memory.room()),
                                      log.once());
  network[0].send(to(1, 7), {});
  network[1].progress();
  network[1].enter({.name = "crecv"});
  CHECK(log.lines.size() == 1);
  CHECK(network[1].call().name == std::string{"crecv"});
}

TEST_CASE("a send's handler runs when the receiver has it") {
  Network network{2, exposing};
  Log log;
  const std::vector<std::byte> data(400);
  const RequestId request = network[0].start_send(
      {.dest = Rank{1}, .tag = Tag{3}, .mode = Mode::synchronous}, Bytes{data});
  network[0].handlers().on_completion(request, log.once());
  network.run_until_quiet();
  CHECK(log.lines.empty());
  Memory memory;
  network[1].receive(tagged(3), memory.room());
  network.run_until_quiet();
  CHECK(log.lines == Lines{"tag 3 length 400"});
}

TEST_CASE("a handler for a complete request runs at the next call") {
  Network network{1};
  Log log;
  network[0].handlers().on_completion(network[0].start_send(to(0, 3), {}), log.once());
  CHECK(log.lines.empty());
  network[0].progress();
  CHECK(log.lines.size() == 1);
}

TEST_CASE("a cancelled receive's handler never runs") {
  Network network{2, exposing};
  Log log;
  Memory memory;
  const RequestId request = network[1].start_receive(tagged(7), memory.room());
  network[1].handlers().on_completion(request, log.once());
  CHECK(network[1].cancel(request));
  network[0].send(to(1, 7), {});
  network.run_until_quiet();
  CHECK(log.lines.empty());
  CHECK_THROWS_AS(network[1].wait(request), Error);
}

TEST_CASE("handlers re-post themselves, serve while their process waits, and never nest") {
  Network network{3, exposing};
  constexpr int requests = 20;
  bool nested = false;
  bool inside = false;
  network.run([&](Process& me) {
    if (me.rank() != Rank{0}) {
      for (int i = 0; i < requests; ++i) {
        me.send(to(0, 1), bytes_of(me.rank()));
        CHECK(me.take({.source = Rank{0}, .tag = TagMatch::exactly(Tag{2})}).body.size() == 400);
      }
      me.send(to(0, 9), {});
      return;
    }
    // A server that sits in a receive of something else, as NX's shared counters do.
    Memory memory;
    Log log;
    auto post = [&] {
      me.handlers().on_completion(me.start_receive(tagged(1), memory.room()), log.once());
    };
    log.then = [&] {
      nested |= std::exchange(inside, true);
      CHECK(me.handlers().running());
      Rank asker{};
      std::memcpy(&asker, memory.bytes.data(), sizeof asker);
      post();
      me.send({.dest = asker, .tag = Tag{2}, .mode = Mode::standard},
              Bytes{std::vector<std::byte>(400)});
      inside = false;
    };
    post();
    for (int i = 0; i < 2; ++i) me.receive(tagged(9), {});
    CHECK(log.lines.size() == 2 * requests);
    CHECK_FALSE(me.handlers().running());
  });
  CHECK_FALSE(nested);
}

TEST_CASE("a handler may block in a receive of its own") {
  Network network{2, exposing};
  network.run([&](Process& me) {
    if (me.rank() == Rank{1}) {
      me.send(to(0, 1), {});
      me.take(tagged(2));
      return me.send(to(0, 3), {});
    }
    Log log;
    log.then = [&] {
      me.send(to(1, 2), {});
      me.receive(tagged(3), {});
      log.lines.emplace_back("served");
    };
    me.handlers().on_completion(me.start_receive(tagged(1), {}), log.once());
    while (log.lines.size() < 2) me.idle();
    CHECK(log.lines.back() == "served");
  });
}

TEST_CASE("a handler's own mask ends with it") {
  Network network{1};
  Log log;
  log.then = [&] { network[0].handlers().mask(true); };
  for (int i = 0; i < 2; ++i)
    network[0].handlers().on_completion(network[0].start_send(to(0, 3), {}), log.once());
  network[0].progress();
  CHECK(log.lines.size() == 2);
  CHECK_FALSE(network[0].handlers().mask(false));
}

TEST_CASE("a filter gets each message that comes, however the program receives meanwhile") {
  const std::size_t size = GENERATE(3U, 300U);
  Network network{2, exposing};
  Log log;
  const std::string long_word(size, 'x');
  network[0].send(to(1, 7), word("early"));
  network.run_until_quiet();
  const FilterId filter = network[1].handlers().add_filter(tagged(7), log.standing());
  network[0].send(to(1, 7), bytes(long_word));
  network[0].send(to(1, 8), word("mine"));
  CHECK(text(network[1].take({.tag = TagMatch::exactly(Tag{8})}).body.bytes()) == "mine");
  CHECK(log.lines == Lines{"0 says " + long_word});
  // Earlier messages than the filter are the program's; later ones are not.
  CHECK(text(network[1].take({}).body.bytes()) == "early");
  CHECK(network[1].handlers().remove_filter(filter));
  CHECK_FALSE(network[1].handlers().remove_filter(filter));
  network[0].send(to(1, 7), word("late"));
  CHECK(text(network[1].take({}).body.bytes()) == "late");
}

TEST_CASE("the youngest filter that wants a message gets it; a posted receive goes before") {
  Network network{2, exposing};
  Log general;
  Log special;
  Memory memory;
  const RequestId posted = network[1].start_receive(tagged(5), memory.room());
  network[1].handlers().add_filter({}, general.standing());
  network[1].handlers().add_filter(tagged(7), special.standing());
  network[0].send(to(1, 7), word("a"));
  network[0].send(to(1, 5), word("b"));
  network[0].send(to(1, 6), word("c"));
  network.run_until_quiet();
  CHECK(special.lines == Lines{"0 says a"});
  CHECK(general.lines == Lines{"0 says c"});
  CHECK(network[1].wait(posted).delivered == 1);
}

namespace {

/// Writes down where handlers ran, or demands that they run as written down.
struct Director : Interceptor {
  std::vector<HandlerOp> ran;
  bool demands = false;
  std::size_t next = 0;

  Verdict handlers_due(HandlerOp& op) override {
    if (!demands) return Verdict::free;
    if (next == ran.size() || ran[next].point != op.point) return Verdict::no;
    op = ran[next];
    return Verdict::yes;
  }
  void handling(HandlerOp const& op) override {
    if (!demands) return ran.push_back(op);
    CHECK(op.handler == ran[next].handler);
    if (op.handler == 0) CHECK(op.id == ran[next].id);
    ++next;
  }
};

/// Asks twice for "done" while two clients talk to a filter and to a handler; the server's actions,
/// in order. `slow` of them lets the other one go first.
Lines serve(Director& director, std::size_t slow) {
  Network network{3, exposing};
  auto watch = std::make_unique<Director>(director);
  auto& seen = *watch;
  network[0].watch(std::move(watch));
  Log log;
  network.run([&](Process& me) {
    if (me.rank() != Rank{0}) {
      if (index(me.rank()) == slow)
        for (int i = 0; i < 50; ++i) me.idle();
      me.send(to(0, 1), word("x"));
      me.send(to(0, 2), word("handled"));
      return me.send(to(0, 9), word("done"));
    }
    Memory memory;
    me.handlers().add_filter(tagged(1), log.standing());
    Log once;
    auto post = [&] {
      me.handlers().on_completion(me.start_receive(tagged(2), memory.room()), once.once());
    };
    once.then = [&] {
      log.lines.emplace_back("once");
      post();
    };
    post();
    for (int i = 0; i < 2; ++i) {
      me.probe(tagged(9));
      me.receive(tagged(9), memory.room());
      log.lines.emplace_back("done");
    }
  });
  director.ran = seen.ran;
  if (seen.demands) CHECK(seen.next == seen.ran.size());
  return log.lines;
}

}  // namespace

TEST_CASE("handlers can be made to run again where they ran, for any order of arrival") {
  Director first;
  auto const then = serve(first, 1);
  CHECK(first.ran.size() == 4);
  first.demands = true;
  CHECK(serve(first, 2) == then);
}
