// SPDX-License-Identifier: BSD-3-Clause
// Recording and replay against a process that is not there.
#include "debug/replay/replay.hpp"

#include <catch2/catch.hpp>
#include <filesystem>

#include "debug/registry.hpp"
#include "debug/trace/reader.hpp"
#include "debug/trace/show.hpp"
#include "debug/trace/trace_file.hpp"
#include "tests/debug/rerun.hpp"

using namespace earl;
using namespace earl::rerun;
using trace::TemporaryFolder;

TEST_CASE("the registry has recording and replay") {
  CHECK(find_tool("record") == &record_tool);
  CHECK(find_tool("replay") == &replay_tool);
  CHECK(find_tool("astrology") == nullptr);
}

TEST_CASE("wildcard receives get the recorded messages, for any order of arrival") {
  TemporaryFolder const folder;
  std::vector<MessageId> got;
  Program const program = [&got](FakeProcess& me) {
    got.clear();
    for (int i = 0; i < 3; ++i) {
      got.push_back(me.crecv(any_message));
      me.csend(1, i);
      got.push_back(me.crecv(from_two));
    }
  };
  record_run(folder / "t.earl", {3, 2, 0, 2, 1, 2}, program);
  auto const then = got;
  for (auto const& order : {Sources{2, 2, 2, 1, 0, 3}, Sources{0, 1, 3, 2, 2, 2}}) {
    CHECK_FALSE(replay(folder / "t.earl", order, program));
    CHECK(got == then);
  }
}

TEST_CASE("receives posted together and completed out of order are distinguished by their post") {
  TemporaryFolder const folder;
  std::vector<MessageId> got;
  std::vector<std::size_t> order;
  Program const program = [&](FakeProcess& me) {
    std::vector<std::uint64_t> posts;
    for (int i = 0; i < 3; ++i) posts.push_back(me.irecv(any_message));
    got.assign(3, {});
    for (auto const i : order) got[i] = me.msgwait(posts[i]);
  };
  order = {2, 0, 1};
  record_run(folder / "t.earl", {1, 0, 3}, program);
  auto const then = got;
  CHECK_FALSE(replay(folder / "t.earl", {3, 1, 0}, program));
  CHECK(got == then);
}

TEST_CASE("polls say no as often as they did, then yes to the same message") {
  TemporaryFolder const folder;
  std::vector<std::string> seen;
  Program const program = [&seen](FakeProcess& me) {
    seen.clear();
    for (int i = 0; i < 5; ++i) {
      auto const found = me.iprobe(i < 3 ? MatchSpec{.source = Rank{3}} : any_message);
      seen.push_back(found ? "yes" + std::to_string(number(found->source)) : "no");
    }
    seen.push_back(std::to_string(me.msgdone(4, {}).size()));
    auto const done = me.msgdone(4, {1, 3});
    seen.push_back(std::to_string(done.size()) + std::to_string(done.back()));
    seen.push_back(std::to_string(number(me.cprobe(any_message).source)));
    seen.push_back(std::to_string(me.mclock(123'456'789'000)));
  };
  record_run(folder / "t.earl", {1, 0}, program);
  auto const then = seen;
  CHECK(then[0] == "no");
  CHECK(then[3] == "yes1");
  Program const other_answers = [&](FakeProcess& me) { program(me); };
  CHECK_FALSE(replay(folder / "t.earl", {3, 0, 1}, other_answers));
  CHECK(seen == then);
}

TEST_CASE("cancels, clocks and EXEC's answers come from the record") {
  TemporaryFolder const folder;
  std::int64_t now = 1000;
  std::string answer = "alive";
  std::string seen;
  Program const program = [&](FakeProcess& me) {
    auto const named = me.irecv(from_two);
    auto const wild = me.irecv(any_message);
    seen = me.msgcancel(named) ? "cancelled " : "too late ";
    seen += me.msgcancel(wild) ? "cancelled " : "too late ";
    seen += std::to_string(me.mclock(now)) + me.ask(3, answer);
  };
  record_run(folder / "t.earl", {}, program);
  auto const then = seen;
  now = 2000;
  answer = "gone";
  CHECK_FALSE(replay(folder / "t.earl", {2}, program));
  CHECK(seen == then);
}

TEST_CASE("a receive that never got anything gets nothing") {
  TemporaryFolder const folder;
  Program const program = [](FakeProcess& me) {
    me.irecv(any_message);
    me.csend(1, 1);
  };
  record_run(folder / "t.earl", {}, program);
  CHECK_FALSE(replay(folder / "t.earl", {1}, program));
}

TEST_CASE("EXEC serves in the recorded order") {
  TemporaryFolder const folder;
  auto const path = folder / "t.earl";
  {
    auto const job = record_tool.in_exec(path, job_info());
    for (int rank = 0; rank < 4; ++rank) {
      FakeDebuggedProcess debugged(rank);
      auto const watch = record_tool.in_process(path, debugged);
      FakeProcess(*watch, {}).exit();
    }
    job->served(Rank{1}, 1, {});
    job->died(Rank{3}, 0);
    job->served(Rank{0}, 2, {});
    job->finished(0);
  }
  auto const job = replay_tool.in_exec(path, job_info());
  CHECK_FALSE(job->may_serve(Rank{0}, 2));
  CHECK(job->may_serve(Rank{1}, 1));
  job->served(Rank{1}, 1, {});
  CHECK_FALSE(job->may_serve(Rank{1}, 1));
  CHECK_FALSE(job->may_serve(Rank{0}, 2));
  CHECK_FALSE(job->may_announce_death(Rank{1}));
  CHECK(job->may_announce_death(Rank{3}));
  job->died(Rank{3}, 0);
  SECTION("all of it") {
    CHECK(job->may_serve(Rank{0}, 2));
    job->served(Rank{0}, 2, {});
    CHECK(job->may_serve(Rank{2}, 3));
    CHECK(job->finished(5) == 5);
  }
  SECTION("less is a divergence") { CHECK(job->finished(0) == 87); }
}

TEST_CASE("a request of one that was killed this time before it had left is not waited for") {
  TemporaryFolder const folder;
  auto const path = folder / "t.earl";
  {
    auto const job = record_tool.in_exec(path, job_info());
    job->served(Rank{1}, 1, {});
    job->served(Rank{0}, 2, {});
    job->died(Rank{1}, 9);
    job->finished(0);
  }
  auto const job = replay_tool.in_exec(path, job_info());
  std::array const others{Rank{0}, Rank{2}};
  std::array const dead{Rank{2}, Rank{1}};
  CHECK_FALSE(job->stop_waiting_for(others));
  CHECK_FALSE(job->may_serve(Rank{0}, 2));
  CHECK(job->stop_waiting_for(dead));
  CHECK_FALSE(job->stop_waiting_for(dead));
  CHECK(job->may_serve(Rank{0}, 2));
  job->served(Rank{0}, 2, {});
  CHECK_FALSE(job->stop_waiting_for(dead));
  CHECK(job->may_announce_death(Rank{1}));
}

TEST_CASE("output is delivered in the recorded order and pieces") {
  TemporaryFolder const folder;
  auto const path = folder / "t.earl";
  {
    auto const job = record_tool.in_exec(path, job_info());
    job->output_delivered({.writer = Rank{2}, .stream = 1, .bytes = 5});
    job->died(Rank{3}, 0);
    job->output_delivered({.writer = Rank{2}, .stream = 1, .bytes = 4});
    job->output_delivered({.writer = Rank{2}});
    job->finished(0);
  }
  auto const job = replay_tool.in_exec(path, job_info());
  OutputPiece early{.writer = Rank{1}, .bytes = 5};
  OutputPiece other{.writer = Rank{2}, .stream = 0, .bytes = 5};
  OutputPiece few{.writer = Rank{2}, .stream = 1, .bytes = 4};
  OutputPiece more{.writer = Rank{2}, .stream = 1, .bytes = 9};
  CHECK_FALSE(job->may_deliver_output(early));
  CHECK_FALSE(job->may_deliver_output(other));
  CHECK_FALSE(job->may_deliver_output(few));
  CHECK_FALSE(job->may_announce_death(Rank{3}));
  CHECK(job->may_deliver_output(more));
  CHECK(more.bytes == 5);
  job->output_delivered(more);
  CHECK_FALSE(job->may_deliver_output(few));
  job->died(Rank{3}, 0);
  CHECK(job->may_deliver_output(few));
  SECTION("all of it") {
    job->output_delivered(few);
    OutputPiece end{.writer = Rank{2}, .last = true};
    OutputPiece too_much{.writer = Rank{2}, .bytes = 1, .last = true};
    CHECK_FALSE(job->may_deliver_output(too_much));
    CHECK(job->may_deliver_output(end));
    job->output_delivered(end);
    CHECK(job->finished(0) == 0);
  }
  SECTION("who prints less in the end") {
    OutputPiece last{.writer = Rank{2}, .stream = 1, .bytes = 3, .last = true};
    CHECK(job->may_deliver_output(last));
    CHECK(last.bytes == 3);
  }
}

TEST_CASE("handlers run where they ran in the recorded run, in that order, for any due ones now") {
  TemporaryFolder const folder;
  std::vector<std::uint64_t> ran;
  std::vector<std::vector<std::uint64_t>> due{{}, {1}, {}, {3, 2}};
  Program const program = [&](FakeProcess& me) {
    ran.clear();
    for (auto const& now : due) {
      for (auto const handler : me.flick(now)) ran.push_back(handler);
      me.crecv(any_message);
      ran.push_back(0);
    }
  };
  record_run(folder / "t.earl", {0, 1, 3, 1}, program);
  auto const then = ran;
  CHECK(then == std::vector<std::uint64_t>{0, 1, 0, 0, 3, 2, 0});
  due = {{1, 2}, {3}, {}, {}};
  CHECK_FALSE(replay(folder / "t.earl", {1, 0, 1, 3}, program));
  CHECK(ran == then);
}

TEST_CASE("a send that was taken back is held back from the start in a replay") {
  TemporaryFolder const folder;
  auto const send = post_of_send(Rank{1}, 4);
  record_run(folder / "t.earl", {}, [&](FakeProcess& me) {
    me.msgcancel(send);
    me.msgcancel(post_of_send(Rank{3}, 4));
  });
  auto const job = replay_tool.in_exec(folder / "t.earl", job_info());
  FakeDebuggedProcess debugged(2);
  auto const watch = replay_tool.in_process(folder / "t.earl", debugged);
  auto const is_held_back = [&](Rank dest, std::uint64_t sequence) {
    return watch->will_be_cancelled(
        {.envelope = {.dest = dest}, .sequence = sequence, .payload = {}});
  };
  CHECK(is_held_back(Rank{1}, 4));
  CHECK_FALSE(is_held_back(Rank{1}, 3));
  CHECK_FALSE(is_held_back(Rank{2}, 4));
}

TEST_CASE("a receive whose message is there is recorded like a posted one") {
  TemporaryFolder const folder;
  constexpr std::uint64_t receives = 40;
  auto const path = folder / "t.earl";
  auto const program = [](FakeProcess& me) {
    for (std::uint64_t i = 0; i < receives; ++i) {
      me.csend(1, 7);
      me.crecv_at_once(NarrowSpec(any_rank, common_context, Tag{7}));
    }
  };
  auto const sources = Sources(receives, 1);
  auto const kept = [&](std::string const& how) {
    std::filesystem::remove_all(path);
    auto const job = record_tool.in_exec(how + path, job_info());
    FakeDebuggedProcess debugged(2);
    auto const watch = record_tool.in_process(how + path, debugged);
    FakeProcess process(*watch, sources);
    program(process);
    process.exit();
    CHECK(job->finished(0) == 0);
    trace::TraceReader reader(trace::rank_path(path, Rank{2}));
    std::uint64_t outcomes = 0;
    while (auto const frame = reader.next())
      for (auto const& outcome : *frame)
        outcomes += outcome.what == trace::OutcomeKind::receive ? 1 : 0;
    return outcomes;
  };
  CHECK(kept("minimal,") == 0);  // no other message could come
  CHECK(kept("keep=65536,") == receives);
  CHECK(kept("") == receives);
  CHECK_FALSE(replay(path, sources, program));
}

TEST_CASE("a replay goes on as that of another recording from where they differ") {
  TemporaryFolder const folder;
  std::vector<std::string> seen;
  int found = 0;
  auto const note = [&](MessageId const& id) { seen.push_back(std::to_string(number(id.source))); };
  Program const program = [&](FakeProcess& me) {
    seen.clear();
    note(me.crecv(any_message));
    for (int i = 0; i < 4; ++i) static_cast<void>(me.iprobe({.source = Rank{3}}));
    auto const early = me.irecv(any_message);
    me.csend(1, 5);
    seen.push_back(std::to_string(me.mclock(77)));
    note(me.crecv(any_message));
    for (int i = 0; i < 3 + found; ++i) static_cast<void>(me.iprobe({.source = Rank{3}}));
    note(me.msgwait(early));
    note(me.crecv(any_message));
  };
  record_run(folder / "a.earl", {0, 1, 0, 1}, program);
  auto const first = seen;
  found = 2;
  record_run(folder / "b.earl", {0, 0, 1, 1}, program);
  auto const second = seen;
  REQUIRE(first != second);
  auto const job = replay_tool.in_exec(folder / "a.earl", job_info());
  FakeDebuggedProcess debugged(2);
  found = 0;
  auto const watch = replay_tool.in_process("checkpoint=2:1=|" + (folder / "a.earl"), debugged);
  int notes = 0;
  debugged.notified = [&](std::string_view name) {
    CHECK(name == "checkpoint");
    ++notes;
    const std::string argument = folder / "b.earl";
    const std::array<std::string_view, 2> arguments{argument, "of another debugger"};
    std::span<std::string_view const> rest{arguments};
    watch->continue_as(rest);
    CHECK(rest.size() == 1);
    found = 2;
  };
  FakeProcess process(*watch, {1, 1, 0, 0});
  program(process);
  process.exit();
  CHECK(notes == 1);
  CHECK(seen == second);
}
