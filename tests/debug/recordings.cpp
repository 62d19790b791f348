// Recordings that are cut, missing, foreign or none, and what they tell of their run.
#include <catch2/catch.hpp>

#include "debug/trace/show.hpp"
#include "tests/debug/rerun.hpp"

using namespace earl;
using namespace earl::rerun;
using Catch::Matchers::Contains;
using trace::TemporaryFolder;

TEST_CASE("a cut recording is replayed up to its cut, and says so") {
  TemporaryFolder const folder;
  int calls = 6;
  std::vector<MessageId> got;
  Program const program = [&](FakeProcess& me) {
    got.clear();
    for (int i = 0; i < calls; ++i) got.push_back(me.crecv(anything));
  };
  record(folder / "t.earl", {3, 1, 0, 3, 1, 0}, program, End::killed);
  auto const then = got;
  calls = 10;
  auto const stopped = replay(folder / "t.earl", {0, 0, 0, 1, 1, 1, 3, 3, 3}, program);
  REQUIRE(stopped);
  CHECK(got == then);
  CHECK(stopped->code == 0);
  CHECK_THAT(stopped->sentence, Contains("the recording of rank 2 ends at event 7, crecv at"));
  CHECK(trace::show(folder / "t.earl", {}) == 1);
}

TEST_CASE("a poll loop that was cut says no as often as it was polled") {
  TemporaryFolder const folder;
  int polls = 1000;
  int noes = 0;
  Program const program = [&](FakeProcess& me) {
    noes = 0;
    for (int i = 0; i < polls; ++i)
      if (!me.iprobe(anything)) ++noes;
  };
  record(folder / "t.earl", {}, program, End::killed);
  polls = 2000;
  auto const stopped = replay(folder / "t.earl", {1}, program);
  REQUIRE(stopped);
  CHECK(noes == 1000);
  CHECK_THAT(stopped->sentence, Contains("ends at event 1001"));
}

TEST_CASE("a process without a record ends at its first call") {
  TemporaryFolder const folder;
  record(folder / "t.earl", {}, [](FakeProcess&) {});
  FakeHost host(3);
  auto const watch = replay_tool.in_process(folder / "t.earl", host);
  CHECK_THROWS_AS(watch->entered({.name = "csend", .site = nullptr}), Stopped);
}

TEST_CASE("what is no recording is told in one sentence") {
  TemporaryFolder const folder;
  CHECK_THROWS_WITH(replay_tool.in_exec(folder / "none", story()), Contains("no such recording"));
  CHECK_THROWS_WITH(trace::show(folder.path(), {}), Contains("it has no meta.json"));
  trace::write_file(folder / "file", "x");
  CHECK_THROWS_WITH(trace::read_command(folder / "file"), Contains("is a file"));
  CHECK_THROWS_WITH(record_tool.in_exec(folder.path(), story()),
                    Contains("which is no part of a recording"));
  record(folder / "t.earl", {}, [](FakeProcess&) {});
  CHECK_THROWS_WITH(replay_tool.in_exec(folder / "t.earl", story(5)),
                    Contains("recorded with 4 processes and cannot be replayed with 5"));
  trace::write_file(folder / "t.earl/meta.json", "{\"earl\": 3");
  CHECK_THROWS_WITH(trace::read_command(folder / "t.earl"), Contains("is no recording of"));
}

TEST_CASE("a file of another recording or rank is not taken") {
  TemporaryFolder const folder;
  record(folder / "a.earl", {}, [](FakeProcess&) {});
  record(folder / "b.earl", {}, [](FakeProcess&) {});
  auto const file = [&](char const* name) { return folder / (std::string{name} + "/r00002.ert"); };
  FakeHost host(2);
  SECTION("another run") {
    trace::write_file(file("a.earl"), trace::contents_of(file("b.earl")));
    CHECK_THROWS_WITH(replay_tool.in_process(folder / "a.earl", host),
                      Contains("is of another recording"));
  }
  SECTION("another rank") {
    trace::write_file(folder / "a.earl/r00001.ert", trace::contents_of(file("a.earl")));
    FakeHost other(1);
    CHECK_THROWS_WITH(replay_tool.in_process(folder / "a.earl", other),
                      Contains("is the record of rank 2, not of rank 1"));
  }
  CHECK(trace::show(folder / "a.earl", {}) == 1);
}

TEST_CASE("the command comes back as it was typed") {
  TemporaryFolder const folder;
  record(folder / "t.earl", {}, [](FakeProcess&) {});
  auto const command = trace::read_command(folder / "t.earl");
  CHECK(command.command == story().command);
  CHECK(command.initial == 4);
  CHECK(command.hosts == story().hosts);
  CHECK(command.back_end == "shm");
  CHECK(command.folder == std::filesystem::current_path().string());
}
