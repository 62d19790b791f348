// SPDX-License-Identifier: BSD-3-Clause
/// A recording of a process that is not there, and its replay.
#pragma once

#include <catch2/catch.hpp>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "debug/record/record.hpp"
#include "debug/replay/replay.hpp"
#include "tests/debug/fake.hpp"
#include "tests/debug/helpers.hpp"

namespace earl::rerun {

const MatchSpec any_message{};
const MatchSpec from_two{.source = Rank{2}};
using Program = std::function<void(FakeProcess&)>;
using Sources = std::vector<std::int32_t>;
using Labels = std::map<Context, std::string>;  ///< of contexts

inline JobInfo job_info(std::uint32_t initial = 4) {
  return {.command = {"/bin/true", "x"},
          .back_end = "shm",
          .initial = initial,
          .hosts = {"a:2", "b:1"},
          .programs = {"/bin/true"},
          .environment = {"LANG=C", "SECRET=x"},
          .settings = {"stdin=2"},
          .tools = {"record=t.earl", "synchronous"}};
}

enum class End { orderly, killed };

/// Records `program` as rank 2 with messages arriving from `sources`.
inline void record_run(std::string const& path, Sources const& sources, Program const& program,
                       End end = End::orderly, Labels const& labels = {}) {
  auto const job = record_tool.in_exec(path, job_info());
  FakeDebuggedProcess debugged(2);
  debugged.labels = labels;
  auto const watch = record_tool.in_process(path, debugged);
  FakeProcess process(*watch, sources);
  program(process);
  if (end == End::killed) return;
  process.exit();
  CHECK(job->finished(0) == 0);
}

/// Replays it; null: to the end and in agreement.
inline std::optional<Stopped> replay(std::string const& path, Sources const& sources,
                                     Program const& program, Labels const& labels = {}) {
  auto const job = replay_tool.in_exec(path, job_info());
  FakeDebuggedProcess debugged(2);
  debugged.labels = labels;
  auto const watch = replay_tool.in_process(path, debugged);
  FakeProcess process(*watch, sources);
  try {
    program(process);
    process.exit();
  } catch (Stopped const& stopped) {
    return stopped;
  }
  return std::nullopt;
}

inline void check_diverged(std::optional<Stopped> const& stopped, std::string const& text) {
  REQUIRE(stopped);
  CHECK(stopped->code == 87);
  CHECK_THAT(stopped->sentence, Catch::Matchers::Contains("replay diverged: rank 2, event"));
  CHECK_THAT(stopped->sentence, Catch::Matchers::Contains(text));
}

}  // namespace earl::rerun
