// Programs that do something else in a replay than they did when they were recorded.
#include <catch2/catch.hpp>

#include "tests/debug/rerun.hpp"

using namespace earl;
using namespace earl::rerun;
using trace::TemporaryFolder;

TEST_CASE("another receive at another line is a divergence, told with both lines") {
  TemporaryFolder const folder;
  bool recording = true;
  Program const program = [&recording](FakeProcess& me) {
    me.csend(1, 5);
    if (recording)
      me.crecv(anything);
    else
      me.crecv({.tag = TagMatch::exactly(Tag{7})});
  };
  record(folder / "t.earl", {1}, program);
  recording = false;
  auto const stopped = replay(folder / "t.earl", {1}, program);
  check_diverged(stopped,
                 "rank 2, event 2: the recording did crecv(any source, any tag) at "
                 "divergence.cpp:");
  check_diverged(stopped, "the program now does crecv(any source, tag 7) at divergence.cpp:");
  check_diverged(stopped, "agreed before: 1 csend at divergence.cpp:");
}

TEST_CASE("every way to differ is a divergence") {
  TemporaryFolder const folder;
  bool recording = true;
  auto const both = [&](Program const& then, Program const& now) {
    record(folder / "t.earl", {1, 3, 1}, then);
    return replay(folder / "t.earl", {1, 3, 1}, now);
  };
  Program const plain = [](FakeProcess& me) {
    me.csend(1, 5);
    me.crecv(anything);
  };
  SECTION("a call more before the receive") {
    check_diverged(both(plain,
                        [&](FakeProcess& me) {
                          me.csend(1, 5);
                          plain(me);
                        }),
                   "the recorded run made no further call");
  }
  SECTION("a call more at the end") {
    check_diverged(both(plain,
                        [&](FakeProcess& me) {
                          plain(me);
                          me.csend(1, 5);
                        }),
                   "the recorded run made no further call");
  }
  SECTION("an end too early") {
    check_diverged(both(plain, [](FakeProcess& me) { me.csend(1, 5); }),
                   "the program ends here, the recorded run made 2 calls");
  }
  SECTION("a probe instead of a receive") {
    check_diverged(both(plain,
                        [](FakeProcess& me) {
                          me.csend(1, 5);
                          me.iprobe(anything);
                        }),
                   "the recorded run got no further answer; the program now does iprobe(");
  }
  SECTION("a wildcard where a source was named") {
    Program const program = [&](FakeProcess& me) {
      me.crecv(recording ? MatchSpec{.source = Rank{1}} : anything);
    };
    record(folder / "t.earl", {1}, program);
    recording = false;
    check_diverged(replay(folder / "t.earl", {1}, program), "posted no such receive here");
  }
  SECTION("a send of another tag, found by the hash at the end") {
    check_diverged(both(plain,
                        [](FakeProcess& me) {
                          me.csend(1, 6);
                          me.crecv(anything);
                        }),
                   "");
  }
}

TEST_CASE("sends that differ are found after 256 calls at most") {
  TemporaryFolder const folder;
  std::int32_t tag = 5;
  Program const program = [&tag](FakeProcess& me) {
    for (int i = 0; i < 1000; ++i) me.csend(1, i == 300 ? tag : 0);
  };
  record(folder / "t.earl", {}, program);
  CHECK_FALSE(replay(folder / "t.earl", {}, program));
  tag = 6;
  check_diverged(replay(folder / "t.earl", {}, program), "event 512, csend at");
}

TEST_CASE("a program that does not come to where a handler ran has diverged") {
  TemporaryFolder const folder;
  record(folder / "t.earl", {}, [](FakeProcess& me) {
    me.flick({1});
    me.mclock(5);
  });
  check_diverged(replay(folder / "t.earl", {}, [](FakeProcess& me) { me.mclock(5); }),
                 "at event 3");
}
