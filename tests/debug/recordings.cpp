// SPDX-License-Identifier: BSD-3-Clause
// Recordings that are cut, missing, foreign or none, and their reports.
#include <unistd.h>

#include <catch2/catch.hpp>
#include <filesystem>
#include <span>

#include "debug/trace/meta.hpp"
#include "debug/trace/show.hpp"
#include "debug/trace/sites.hpp"
#include "generic/seams/standstill_judge.hpp"
#include "generic/system/standard_input.hpp"
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
    for (int i = 0; i < calls; ++i) got.push_back(me.crecv(any_message));
  };
  record_run(folder / "t.earl", {3, 1, 0, 3, 1, 0}, program, End::killed);
  auto const then = got;
  calls = 10;
  auto const stopped = replay(folder / "t.earl", {0, 0, 0, 1, 1, 1, 3, 3, 3}, program);
  REQUIRE(stopped);
  CHECK(got == then);
  CHECK(stopped->code == 85);
  CHECK(stopped->when_sent);  // others may have received it
  CHECK_THAT(stopped->sentence, Contains("the recording of rank 2 ends at event 7, crecv at"));
  CHECK(trace::show(folder / "t.earl", {}) == 1);
}

TEST_CASE("the last receive of a record without its end waits for its message") {
  TemporaryFolder const folder;
  auto const path = folder / "t.earl";
  Program const program = [](FakeProcess& me) {
    me.crecv(any_message);
    CHECK(me.crecv_of_a_late_one(any_message) == MessageId{.source = Rank{1}, .sequence = 0});
  };
  record_run(path, {3, 1}, program);
  std::filesystem::resize_file(path + "/r00002.ert",
                               std::filesystem::file_size(path + "/r00002.ert") - 20);
  CHECK(!replay(path, {1, 3}, program));
}

TEST_CASE("a poll loop that was cut says no as often as it was polled") {
  TemporaryFolder const folder;
  int polls = 1000;
  int noes = 0;
  Program const program = [&](FakeProcess& me) {
    noes = 0;
    for (int i = 0; i < polls; ++i)
      if (!me.iprobe(any_message)) ++noes;
  };
  record_run(folder / "t.earl", {}, program, End::killed);
  polls = 2000;
  auto const stopped = replay(folder / "t.earl", {1}, program);
  REQUIRE(stopped);
  CHECK(noes == 1000);
  CHECK_THAT(stopped->sentence, Contains("ends at event 1001"));
}

TEST_CASE("a process without a record ends at its first call") {
  TemporaryFolder const folder;
  record_run(folder / "t.earl", {}, [](FakeProcess&) {});
  FakeDebuggedProcess debugged(3);
  auto const watch = replay_tool.in_process(folder / "t.earl", debugged);
  CHECK_THROWS_AS(watch->entered({.name = "csend", .site = nullptr}), Stopped);
}

TEST_CASE("a directory that is not a recording is refused in one sentence") {
  TemporaryFolder const folder;
  CHECK_THROWS_WITH(replay_tool.in_exec(folder / "none", job_info()),
                    Contains("no such recording"));
  CHECK_THROWS_WITH(trace::show(folder.path(), {}), Contains("it has no meta.json"));
  trace::write_file(folder / "file", "x");
  CHECK_THROWS_WITH(trace::read_command(folder / "file"), Contains("is a file"));
  CHECK_THROWS_WITH(record_tool.in_exec(folder.path(), job_info()),
                    Contains("which is no part of a recording"));
  record_run(folder / "t.earl", {}, [](FakeProcess&) {});
  CHECK_THROWS_WITH(replay_tool.in_exec(folder / "t.earl", job_info(5)),
                    Contains("recorded with 4 processes and cannot be replayed with 5"));
  trace::write_file(folder / "t.earl/meta.json", "{\"earl\": 3");
  CHECK_THROWS_WITH(
      trace::read_command(folder / "t.earl"),
      Contains("is not a recording of") && Contains("meta.json: it is damaged at byte"));
  for (auto const* text : {"{}", "[]", "{\"earl\": 3, \"format\": 4}"}) {
    trace::write_file(folder / "t.earl/meta.json", text);
    CHECK_THROWS_WITH(trace::read_command(folder / "t.earl"),
                      Contains("meta.json: an entry is missing or is not of its kind"));
  }
  trace::write_file(folder / "t.earl/meta.json", "{\"earl\": \"0.9\", \"format\": 3}");
  CHECK_THROWS_WITH(trace::read_command(folder / "t.earl"),
                    Contains("it is in format 3 and this Earl reads format 4: use Earl 0.9"));
}

TEST_CASE("a recording is not replaced unasked") {
  TemporaryFolder const folder;
  auto const path = folder / "t.earl";
  record_run(path, {}, [](FakeProcess&) {});
  auto const before = trace::contents_of(path + "/meta.json");
  CHECK_THROWS_WITH(record_tool.in_exec(path, job_info()), Contains("holds a recording already"));
  CHECK(trace::contents_of(path + "/meta.json") == before);
  trace::remove_recording(path);
  record_run(path, {}, [](FakeProcess&) {});
  CHECK(trace::contents_of(path + "/meta.json") != before);
  trace::write_file(path + "/thesis.tex", "x");
  CHECK_THROWS_WITH(trace::remove_recording(path), Contains("thesis.tex"));
  CHECK(std::filesystem::exists(path + "/meta.json"));
}

TEST_CASE("a recording is its owner's alone") {
  TemporaryFolder const folder;
  auto const path = folder / "t.earl";
  record_run(path, {}, [](FakeProcess&) {});
  using std::filesystem::perms;
  CHECK((std::filesystem::status(path).permissions() & (perms::group_all | perms::others_all)) ==
        perms::none);
  for (auto const& entry : std::filesystem::directory_iterator(path))
    CHECK(entry.status().permissions() == (perms::owner_read | perms::owner_write));
}

TEST_CASE("a recording that names no builds, or is another user's, is not to be trusted") {
  TemporaryFolder const folder;
  auto const path = folder / "t.earl";
  record_run(path, {}, [](FakeProcess&) {});
  CHECK(trace::read_command(path).objection.empty());
  auto meta = trace::contents_of(path + "/meta.json");
  auto const at = meta.find("build_ids");
  REQUIRE(at != std::string::npos);
  trace::write_file(path + "/meta.json", meta.replace(at, 9, "build_xxx"));
  CHECK_THAT(trace::read_command(path).objection, Contains("no build-id of /bin/true"));
  trace::write_file(path + "/meta.json", meta.replace(at, 9, "build_ids"));
  if (::geteuid() != 0) return;
  constexpr unsigned other_user = 65534;
  REQUIRE(::chown((path + "/meta.json").c_str(), other_user, other_user) == 0);
  CHECK_THAT(trace::read_command(path).objection, Contains("belongs to another user (uid 65534)"));
}

TEST_CASE("how the run ended is in the recording") {
  TemporaryFolder const folder;
  auto const path = folder / "t.earl";
  auto const job = record_tool.in_exec(path, job_info());
  CHECK_FALSE(trace::read_end(path));
  dynamic_cast<StandstillListener&>(*job).quiescence_judged(
      {.exit_code = 86, .sentence = "all wait"});
  CHECK(job->finished(86) == 86);
  auto const end = trace::read_end(path);
  REQUIRE(end);
  CHECK(end->exit_code == 86);
  CHECK(end->standstill == "all wait");
  CHECK(end->waits.empty());
}

TEST_CASE("a recording keeps the waits of a deadlock") {
  TemporaryFolder const folder;
  std::vector<KnownWait> const waits{
      {.waiter = Rank{0}, .awaited = Rank{1}, .in_cycle = true},
      {.waiter = Rank{1}, .awaited = Rank{0}, .in_cycle = true},
      {.waiter = Rank{2}, .awaited = no_rank},
  };
  trace::write_end(folder.path(), {.exit_code = 86, .standstill = "all wait", .waits = waits});
  CHECK(trace::read_end(folder.path())->waits == waits);
}

TEST_CASE("a process that waited when EXEC ended the job waits there again") {
  TemporaryFolder const folder;
  auto const path = folder / "t.earl";
  Program const program = [](FakeProcess& me) {
    me.csend(1, 5);
    me.crecv(any_message);
  };
  {
    auto const job = record_tool.in_exec(path, job_info());
    FakeDebuggedProcess debugged(2);
    auto const watch = record_tool.in_process(path, debugged);
    FakeProcess process(*watch, {});
    program(process);
    CHECK(job->finished(137) == 137);
  }
  auto const cut = replay(path, {1}, program);
  REQUIRE(cut);
  CHECK(cut->code == 85);
  CHECK(cut->when_sent);
  trace::write_end(path, {.exit_code = 86, .standstill = "all wait"});
  FakeDebuggedProcess debugged(2);
  auto const watch = replay_tool.in_process(path, debugged);
  FakeProcess process(*watch, {1});
  CHECK_NOTHROW(program(process));
}

TEST_CASE("standard input is replayed, also of a run whose EXEC was killed") {
  TemporaryFolder const folder;
  auto const path = folder / "t.earl";
  auto const text = fmt::format("{:a>10000}the end", "");
  {
    auto const job = record_tool.in_exec(path, job_info());
    auto& listener = dynamic_cast<InputListener&>(*job);
    listener.input(std::as_bytes(std::span{text}.first(5000)));
    listener.input(std::as_bytes(std::span{text}.subspan(5000)));
    // Killed: the input read so far is kept all the same.
  }
  auto const job = replay_tool.in_exec(path, job_info());
  auto const input = dynamic_cast<InputSource&>(*job).input();
  REQUIRE(input);
  std::string got(2 * text.size(), '\0');
  got.resize(static_cast<std::size_t>(::read(input.get(), got.data(), got.size())));
  CHECK(got == text);
}

TEST_CASE("a rank that a recording does not have is an error, and spawned ones are counted") {
  TemporaryFolder const folder;
  auto const path = folder / "t.earl";
  record_run(path, {}, [](FakeProcess&) {});
  CHECK_THROWS_WITH(trace::show(path, {.rank = 9}), Contains("has no rank 9"));
  trace::write_file(path + "/r00005.ert", "");
  CHECK_NOTHROW(trace::show(path, {.rank = 5}));
}

TEST_CASE("a file of another recording or rank is not taken") {
  TemporaryFolder const folder;
  record_run(folder / "a.earl", {}, [](FakeProcess&) {});
  record_run(folder / "b.earl", {}, [](FakeProcess&) {});
  auto const file = [&](char const* name) { return folder / (std::string{name} + "/r00002.ert"); };
  FakeDebuggedProcess debugged(2);
  SECTION("another run") {
    trace::write_file(file("a.earl"), trace::contents_of(file("b.earl")));
    CHECK_THROWS_WITH(replay_tool.in_process(folder / "a.earl", debugged),
                      Contains("is of another recording"));
  }
  SECTION("another rank") {
    trace::write_file(folder / "a.earl/r00001.ert", trace::contents_of(file("a.earl")));
    FakeDebuggedProcess other(1);
    CHECK_THROWS_WITH(replay_tool.in_process(folder / "a.earl", other),
                      Contains("is the record of rank 2, not of rank 1"));
  }
  CHECK(trace::show(folder / "a.earl", {}) == 1);
}

TEST_CASE("the command comes back as it was typed") {
  TemporaryFolder const folder;
  record_run(folder / "t.earl", {}, [](FakeProcess&) {});
  auto const command = trace::read_command(folder / "t.earl");
  CHECK(command.command == job_info().command);
  CHECK(command.initial == 4);
  CHECK(command.hosts == job_info().hosts);
  CHECK(command.back_end == "shm");
  CHECK(command.programs == job_info().programs);
  CHECK(command.environment == job_info().environment);
  CHECK(command.settings == job_info().settings);
  CHECK(command.tools == job_info().tools);
  CHECK(command.folder == std::filesystem::current_path().string());
}

TEST_CASE("lines are named of the program that was recorded, and of no other build of it") {
  trace::KnownSite site = trace::site_of({.name = "crecv", .site = __builtin_return_address(0)});
  REQUIRE(!site.build_id.empty());
  CHECK_THAT(site.to_text(), !Contains("rebuilt"));
  site.build_id.front() = site.build_id.front() == '0' ? '1' : '0';
  CHECK_THAT(site.to_text(),
             Contains("crecv at ") && Contains("+0x") && Contains("(rebuilt since)"));
}
