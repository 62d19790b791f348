// SPDX-License-Identifier: BSD-3-Clause
// Programs that do something else in a replay than they did when they were recorded.
#include <catch2/catch.hpp>

#include "tests/debug/rerun.hpp"

using namespace earl;
using namespace earl::rerun;
using trace::TemporaryFolder;

TEST_CASE("another receive at another line is a divergence, reported with both lines") {
  TemporaryFolder const folder;
  bool recording = true;
  Program const program = [&recording](FakeProcess& me) {
    me.csend(1, 5);
    if (recording)
      me.crecv(any_message);
    else
      me.crecv({.tag = TagMatch::exactly(Tag{7})});
  };
  record_run(folder / "t.earl", {1}, program);
  recording = false;
  auto const stopped = replay(folder / "t.earl", {1}, program);
  check_diverged(stopped,
                 "rank 2, event 2: the recording did crecv(any source, any tag) at "
                 "divergence.cpp:");
  check_diverged(stopped, "the program now does crecv(any source, tag 7) at divergence.cpp:");
  check_diverged(stopped, "agreed before: 1 csend at divergence.cpp:");
}

TEST_CASE("a divergence names the contexts of both receives as their front end does") {
  TemporaryFolder const folder;
  Context const rows = context_of(Space::user, 5);
  Context const columns = context_of(Space::user, 6);
  Labels const labels{{rows, "rows"}, {columns, "columns"}};
  bool recording = true;
  Program const program = [&](FakeProcess& me) {
    me.crecv({.context = recording ? rows : columns});
  };
  record_run(folder / "t.earl", {1}, program, End::orderly, labels);
  recording = false;
  auto const stopped = replay(folder / "t.earl", {1}, program, labels);
  check_diverged(stopped, "the recording did crecv(any source, any tag, rows) at divergence.cpp:");
  check_diverged(stopped, "the program now does crecv(any source, any tag, columns) at");
  // Without a name, as before.
  check_diverged(replay(folder / "t.earl", {1}, program),
                 "the program now does crecv(any source, any tag, context 6) at");
}

TEST_CASE("a divergence says that the process shares memory, which is not recorded") {
  TemporaryFolder const folder;
  bool recording = true;
  Program const program = [&recording](FakeProcess& me) {
    me.share_memory(4096);
    me.csend(1, recording ? 5 : 6);
  };
  record_run(folder / "t.earl", {}, program);
  recording = false;
  check_diverged(replay(folder / "t.earl", {}, program),
                 "the process shares memory with others, whose contents are not recorded");
}

TEST_CASE("every way to differ is a divergence") {
  TemporaryFolder const folder;
  bool recording = true;
  auto const both = [&](Program const& then, Program const& now) {
    record_run(folder / "t.earl", {1, 3, 1}, then);
    return replay(folder / "t.earl", {1, 3, 1}, now);
  };
  Program const plain = [](FakeProcess& me) {
    me.csend(1, 5);
    me.crecv(any_message);
  };
  SECTION("a call more before the receive") {
    check_diverged(both(plain,
                        [&](FakeProcess& me) {
                          me.csend(1, 5);
                          plain(me);
                        }),
                   "this is one call more than the 2 of the recorded run");
  }
  SECTION("a call more at the end") {
    check_diverged(both(plain,
                        [&](FakeProcess& me) {
                          plain(me);
                          me.csend(1, 5);
                        }),
                   "this is one call more than the 2 of the recorded run");
  }
  SECTION("an end too early") {
    check_diverged(both(plain, [](FakeProcess& me) { me.csend(1, 5); }),
                   ": the program ends without a further call; the recorded run made 2 calls");
  }
  SECTION("an end before any call") {
    auto const stopped = both(plain, [](FakeProcess&) {});
    REQUIRE(stopped);
    CHECK_THAT(stopped->sentence,
               Catch::Matchers::Contains(
                   "rank 2, before its first call: the program ends without a further call"));
  }
  SECTION("a probe instead of a receive") {
    check_diverged(both(plain,
                        [](FakeProcess& me) {
                          me.csend(1, 5);
                          me.iprobe(any_message);
                        }),
                   "the recorded run got no later answer to a poll; the program now does iprobe(");
  }
  SECTION("a wildcard where a source was named") {
    Program const program = [&](FakeProcess& me) {
      me.crecv(recording ? MatchSpec{.source = Rank{1}} : any_message);
    };
    record_run(folder / "t.earl", {1}, program);
    recording = false;
    check_diverged(replay(folder / "t.earl", {1}, program), "posted no such receive here");
  }
  SECTION("one call fewer before the same receive") {
    check_diverged(both(plain, [](FakeProcess& me) { me.crecv(any_message); }), "");
  }
  SECTION("a send of another tag") {
    check_diverged(both(plain,
                        [](FakeProcess& me) {
                          me.csend(1, 6);
                          me.crecv(any_message);
                        }),
                   "message 1 of this process is 8 bytes to rank 1 with tag 6; in the recording it "
                   "was 8 bytes to rank 1 with tag 5");
  }
}

TEST_CASE("the first message that differs is named") {
  TemporaryFolder const folder;
  std::int32_t tag = 0;
  std::string other = "contents";
  Program const program = [&](FakeProcess& me) {
    for (int i = 0; i < 1000; ++i) me.csend(1, i == 300 ? tag : 0, i == 300 ? other : "contents");
  };
  record_run(folder / "t.earl", {}, program);
  CHECK_FALSE(replay(folder / "t.earl", {}, program));
  SECTION("its bytes") {
    other = "kontents";
    check_diverged(replay(folder / "t.earl", {}, program), "event 301, csend at divergence.cpp:");
    check_diverged(replay(folder / "t.earl", {}, program),
                   "message 301 of this process, 8 bytes to rank 1 with tag 0, holds other bytes "
                   "than recorded");
  }
  SECTION("its length") {
    other = "four";
    check_diverged(
        replay(folder / "t.earl", {}, program),
        "message 301 of this process is 4 bytes to rank 1 with tag 0; in the recording it "
        "was 8 bytes to rank 1 with tag 0");
  }
  SECTION("its tag") {
    tag = 6;
    check_diverged(replay(folder / "t.earl", {}, program), "with tag 6; in the recording");
  }
}

TEST_CASE("the first collective that is given something else is named") {
  TemporaryFolder const folder;
  std::size_t root = 0;
  std::string other = "contents";
  Program const program = [&](FakeProcess& me) {
    for (int i = 0; i < 1000; ++i)
      if (i == 300)
        me.gsum(other, root);
      else
        me.gsum("contents");
  };
  record_run(folder / "t.earl", {}, program);
  CHECK_FALSE(replay(folder / "t.earl", {}, program));
  SECTION("its bytes") {
    other = "kontents";
    check_diverged(replay(folder / "t.earl", {}, program), "event 301, gsum at divergence.cpp:");
    check_diverged(replay(folder / "t.earl", {}, program),
                   "collective 301 of this process, all-reduce of 8 bytes with root 0, number 300 "
                   "of its group, is given other bytes than recorded");
  }
  SECTION("its length") {
    other = "four";
    check_diverged(replay(folder / "t.earl", {}, program),
                   "collective 301 of this process, all-reduce, has 4 bytes with root 0, number "
                   "300 of its group; in the recording it had 8 bytes with root 0");
  }
  SECTION("its root") {
    root = 1;
    check_diverged(replay(folder / "t.earl", {}, program), "with root 1, number 300");
  }
}

TEST_CASE("a long message that stays different is found within 64 messages") {
  TemporaryFolder const folder;
  std::string message(1U << 20, 'x');
  int sends = 64;
  Program const program = [&](FakeProcess& me) {
    for (int i = 0; i < sends; ++i) me.csend(1, 0, message);
  };
  record_run(folder / "t.earl", {}, program);
  for (auto const at : {std::size_t{0}, std::size_t{700'000}, message.size() - 1}) {
    message[at] = 'y';
    check_diverged(replay(folder / "t.earl", {}, program), "holds other bytes than recorded");
    message[at] = 'x';
  }
  CHECK_FALSE(replay(folder / "t.earl", {}, program));
}

TEST_CASE("a divergence never names the same call twice") {
  TemporaryFolder const folder;
  int before = 3;
  Program const program = [&](FakeProcess& me) {
    for (int i = 0; i < before; ++i) me.irecv(from_two);
    me.mclock(5);
  };
  record_run(folder / "t.earl", {}, program);
  before = 2;
  check_diverged(replay(folder / "t.earl", {}, program),
                 "after 1 call fewer than in the recording, where it was event 4");
  before = 5;
  check_diverged(replay(folder / "t.earl", {}, program),
                 "this is one call more than the 4 of the recorded run");
}

TEST_CASE("polling costs a record nothing") {
  TemporaryFolder const folder;
  auto const path = folder / "t.earl";
  record_run(path, {}, [](FakeProcess& me) {
    for (int i = 0; i < 100'000; ++i) me.iprobe(any_message);
  });
  auto const all = trace::read_back(trace::rank_path(path, Rank{2}));
  CHECK(all.outcomes.size() < 10);
  CHECK(all.ending.complete);
}

TEST_CASE("a program that does not come to where a handler ran has diverged") {
  TemporaryFolder const folder;
  record_run(folder / "t.earl", {}, [](FakeProcess& me) {
    me.flick({1});
    me.mclock(5);
  });
  check_diverged(replay(folder / "t.earl", {}, [](FakeProcess& me) { me.mclock(5); }),
                 "at event 3");
}
