// SPDX-License-Identifier: BSD-3-Clause
#include "debug/trace/trace_file.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cstring>
#include <random>

#include "debug/trace/describe.hpp"
#include "tests/debug/helpers.hpp"
#include "tests/sanitized.hpp"

using namespace earl;
using namespace earl::trace;

namespace {

std::vector<Outcome> receives(std::uint64_t count, std::int32_t sources, std::uint64_t seed) {
  std::mt19937 random(static_cast<unsigned>(seed));
  std::vector<std::uint64_t> next(static_cast<std::size_t>(sources));
  std::vector<Outcome> outcomes;
  for (std::uint64_t n = 0; n < count; ++n) {
    auto const source = random() % static_cast<unsigned>(sources);
    outcomes.push_back(receive_of(n, static_cast<std::int32_t>(source), next[source]++));
  }
  return outcomes;
}

enum class FileEnd { orderly, none };

void record_run(std::string const& path, std::vector<Outcome> const& outcomes, FileEnd end,
                std::uint32_t tail_room = 16U << 10) {
  auto options = options_for(path);
  options.tail_room = tail_room;
  TraceWriter writer(options);
  for (auto const& outcome : outcomes) {
    writer.event(outcome.event);
    put(writer, outcome);
  }
  if (end == FileEnd::orderly) writer.finish(outcomes.size() * 2, 5, 0xabcd);
}

bool is_prefix(std::vector<Outcome> const& part, std::vector<Outcome> const& whole) {
  return part.size() <= whole.size() && std::equal(part.begin(), part.end(), whole.begin());
}

}  // namespace

TEST_CASE("a record that ended comes back whole") {
  TemporaryFolder const folder;
  auto const count = GENERATE(std::uint64_t{0}, std::uint64_t{1}, std::uint64_t{60'000});
  auto const outcomes = receives(count, 16, 1);
  record_run(folder / "r", outcomes, FileEnd::orderly);
  auto const back = read_back(folder / "r");
  CHECK(back.outcomes == outcomes);
  CHECK(back.ending.complete);
  CHECK(back.ending.events == count * 2);
  CHECK(back.ending.unreceived == 5);
  CHECK(back.ending.hash == 0xabcd);
}

TEST_CASE("a record without an end comes back as cut, with every outcome") {
  TemporaryFolder const folder;
  auto const outcomes = receives(GENERATE(10U, 50'000U), 16, 2);
  record_run(folder / "r", outcomes, FileEnd::none);
  auto const back = read_back(folder / "r");
  CHECK(back.outcomes == outcomes);
  CHECK_FALSE(back.ending.complete);
  CHECK(back.ending.events == outcomes.back().event);
}

TEST_CASE("an open run of misses is there, and is one record when it ends") {
  TemporaryFolder const folder;
  {
    TraceWriter writer(options_for(folder / "r"));
    auto asked = receive_of(1, 0, 0);
    asked.id = {};
    asked.selector = {};
    for (int i = 0; i < 41; ++i) writer.miss(asked);
    CHECK(read_back(folder / "r").ending.misses == 41);
    put(writer, receive_of(2, 0, 0));
    auto const back = read_back(folder / "r");
    CHECK(back.ending.misses == 0);
    REQUIRE(back.outcomes.size() == 2);
    CHECK(back.outcomes[0].what == OutcomeKind::misses);
    CHECK(back.outcomes[0].count == 41);
    writer.miss(asked);
  }
  CHECK(read_back(folder / "r").ending.misses == 1);
}

TEST_CASE("more positions than a record holds come back in pieces") {
  TemporaryFolder const folder;
  Outcome outcome;
  outcome.what = OutcomeKind::tested;
  outcome.kind = OpKind::wait_any;
  outcome.site = 0;
  for (std::uint32_t i = 0; i < 2500; ++i) outcome.positions.push_back(3 * i);
  record_run(folder / "r", {outcome}, FileEnd::orderly);
  auto const back = read_back(folder / "r").outcomes;
  REQUIRE(back.size() == 3);
  CHECK((back[0].yes && back[1].yes && !back[2].yes));
  std::vector<std::uint32_t> joined;
  for (auto const& part : back)
    joined.insert(joined.end(), part.positions.begin(), part.positions.end());
  CHECK(joined == outcome.positions);
}

TEST_CASE("any frame decodes alone: damage costs its own frame and is reported") {
  TemporaryFolder const folder;
  auto const outcomes = receives(60'000, 200, 3);
  record_run(folder / "r", outcomes, FileEnd::orderly);
  auto bytes = contents_of(folder / "r");
  auto const whole = read_back(folder / "r");
  bytes[bytes.size() / 2] = static_cast<char>(bytes[bytes.size() / 2] ^ 0x10);
  write_file(folder / "r", bytes);
  auto const back = read_back(folder / "r");
  CHECK_FALSE(back.ending.complete);
  REQUIRE(back.ending.gaps.size() == 1);
  CHECK(back.ending.gaps[0].frames == 1);
  CHECK(back.outcomes.size() < whole.outcomes.size());
  CHECK(back.outcomes.size() > whole.outcomes.size() / 2);
  CHECK(back.outcomes.back() == outcomes.back());
  CHECK(back.outcomes.front() == outcomes.front());
}

TEST_CASE("a file cut at any byte invents nothing") {
  TemporaryFolder const folder;
  auto const end = GENERATE(FileEnd::orderly, FileEnd::none);
  auto const outcomes = receives(400, 250, 4);
  record_run(folder / "r", outcomes, end, 256);
  auto const bytes = contents_of(folder / "r");
  auto const step = end == FileEnd::orderly ? testing::times(1, 3) : testing::times(7, 13);
  for (std::size_t size = 0; size < bytes.size(); size += static_cast<std::size_t>(step)) {
    write_file(folder / "cut", bytes.substr(0, size));
    if (size < sizeof(FileHeader)) {
      REQUIRE_THROWS_AS(read_back(folder / "cut"), Error);
      continue;
    }
    auto const back = read_back(folder / "cut");
    INFO("cut at " << size << " of " << bytes.size());
    REQUIRE(is_prefix(back.outcomes, outcomes));
    // Only the padding behind the last frame may go unnoticed.
    REQUIRE((!back.ending.complete || back.outcomes == outcomes));
    // Where the outcome of an event is lost, the record ends before that event is over.
    if (auto const known = back.outcomes.size(); known < outcomes.size())
      REQUIRE(back.ending.events <= outcomes[known].event);
  }
}

TEST_CASE("every bit that flips in a closed file is found") {
  TemporaryFolder const folder;
  auto const outcomes = receives(120, 250, 5);
  record_run(folder / "r", outcomes, FileEnd::orderly, 256);
  auto const bytes = contents_of(folder / "r");
  for (std::size_t at = 0; at < bytes.size(); ++at) {
    auto flipped = bytes;
    flipped[at] = static_cast<char>(flipped[at] ^ (1 << at % 8));
    write_file(folder / "flipped", flipped);
    if (at < header_checked_bytes + sizeof(FileHeader::crc)) {
      REQUIRE_THROWS_AS(read_back(folder / "flipped"), Error);
      continue;
    }
    auto const back = read_back(folder / "flipped");
    INFO("flipped at " << at);
    // Padding and the unused words of the header carry nothing.
    auto const unharmed = back.ending.complete && back.outcomes == outcomes;
    auto const reported = !back.ending.complete && back.outcomes.size() <= outcomes.size();
    REQUIRE((unharmed || reported));
    for (auto const& outcome : back.outcomes)
      REQUIRE(std::find(outcomes.begin(), outcomes.end(), outcome) != outcomes.end());
  }
}

TEST_CASE("no damage to an open file does harm") {
  TemporaryFolder const folder;
  record_run(folder / "r", receives(3000, 250, 7), FileEnd::none, 512);
  auto const bytes = contents_of(folder / "r");
  std::mt19937 random(8);
  for (int round = 0; round < 500; ++round) {
    auto damaged = bytes;
    for (auto n = 1 + random() % 6; n > 0; --n)
      damaged[sizeof(FileHeader) - 16 + random() % (damaged.size() - sizeof(FileHeader))] =
          static_cast<char>(random());
    write_file(folder / "damaged", damaged);
    auto const back = read_back(folder / "damaged");
    REQUIRE_FALSE(back.ending.complete);
    REQUIRE(back.outcomes.size() <= damaged.size());
  }
}

TEST_CASE("every bit that flips in the open tail is found") {
  TemporaryFolder const folder;
  record_run(folder / "r", receives(40, 250, 8), FileEnd::none);
  auto const bytes = contents_of(folder / "r");
  auto const tail = bytes.find("TAIL", sizeof(FileHeader));
  REQUIRE(tail != std::string::npos);
  std::uint64_t word = 0;
  std::memcpy(&word, &bytes[tail + offsetof(TailHeader, committed)], sizeof word);
  auto const begin = tail + sizeof(TailHeader);
  auto const end = begin + committed_bytes(word);
  REQUIRE(end > begin + 40);
  for (auto at = begin; at < end; ++at) {
    auto flipped = bytes;
    flipped[at] = static_cast<char>(flipped[at] ^ (1 << at % 8));
    write_file(folder / "flipped", flipped);
    auto const back = read_back(folder / "flipped");
    REQUIRE(back.outcomes.empty());
    REQUIRE(back.ending.gaps.size() == 1);
  }
}

TEST_CASE("a file that is no trace is refused in one sentence") {
  TemporaryFolder const folder;
  using Catch::Matchers::Contains;
  write_file(folder / "text", std::string(500, 'x'));
  CHECK_THROWS_WITH(TraceReader(folder / "text"), Contains("is no trace of Earl"));
  write_file(folder / "short", "EARL");
  CHECK_THROWS_WITH(TraceReader(folder / "short"), Contains("it has 4 bytes"));
  write_file(folder / "zero", std::string(4096, '\0'));
  CHECK_THROWS_WITH(TraceReader(folder / "zero"), Contains("killed before it had made the file"));
  CHECK_THROWS_WITH(TraceReader(folder / "none"), Contains("cannot read"));
  record_run(folder / "r", {}, FileEnd::orderly);
  auto bytes = contents_of(folder / "r");
  bytes[8] = 9;
  write_file(folder / "r", bytes);
  CHECK_THROWS_WITH(TraceReader(folder / "r"), Contains("format 9"));
  CHECK_THROWS_WITH(TraceFile(options_for(folder / "r")), Contains("cannot record to"));
}

TEST_CASE("at most one byte for a wildcard receive up to 64 ranks") {
  TemporaryFolder const folder;
  auto const sources = GENERATE(16, 64);
  constexpr std::uint64_t count = 100'000;
  record_run(folder / "r", receives(count, sources, 6), FileEnd::orderly);
  auto const bytes = std::filesystem::file_size(folder / "r");
  auto const each = static_cast<double>(bytes) / count;
  WARN(sources << " random sources: " << each << " bytes per wildcard receive");
  CHECK(each <= 1.0);
}

TEST_CASE("an outcome is described with the name that its context has by then") {
  Describer describer;
  auto outcome = receive_of(0, 1, 0);
  outcome.selector.context = 5;
  CHECK_THAT(describer.line(outcome), Catch::Matchers::Contains(", context 5) got message"));
  CHECK(describer.learn({.what = OutcomeKind::label, .value = 5, .text = "rows"}));
  CHECK_THAT(describer.line(outcome), Catch::Matchers::Contains(", rows) got message"));
  outcome.selector.context = 6;
  CHECK_THAT(describer.line(outcome), Catch::Matchers::Contains(", context 6) got message"));
}

TEST_CASE("a record goes on in another file, and the first one stays") {
  TemporaryFolder const folder;
  auto const outcomes = receives(80'000, 16, 3);
  auto const before = GENERATE(0U, 1U, 100U, 60'000U);
  auto const write = [](TraceWriter& writer, Outcome const& outcome) {
    writer.event(outcome.event);
    put(writer, outcome);
  };
  {
    TraceWriter writer(options_for(folder / "first"));
    for (std::size_t i = 0; i < before; ++i) write(writer, outcomes[i]);
    writer.continue_in(folder / "second");
    for (std::size_t i = before; i < outcomes.size(); ++i) write(writer, outcomes[i]);
    writer.finish(outcomes.size() * 2, 5, 0xabcd);
  }
  auto const first = read_back(folder / "first");
  CHECK_FALSE(first.ending.complete);
  CHECK(first.outcomes == std::vector<Outcome>(outcomes.begin(), outcomes.begin() + before));
  auto const second = read_back(folder / "second");
  CHECK(second.ending.complete);
  CHECK(second.outcomes == outcomes);
}

TEST_CASE("answers no in a row go on in another file, and so does a record that has ended") {
  TemporaryFolder const folder;
  Outcome asked;
  asked.what = OutcomeKind::misses;
  asked.kind = OpKind::try_probe;
  asked.site = 0;
  asked.event = 1;
  {
    TraceWriter writer(options_for(folder / "first"));
    for (int i = 0; i < 3; ++i) writer.miss(asked);
    writer.continue_in(folder / "second");
    for (int i = 0; i < 4; ++i) writer.miss(asked);
    writer.finish(7, 0, 0);
    writer.continue_in(folder / "third");
    CHECK_THROWS_AS(writer.continue_in(folder / "first"), Error);
  }
  for (auto const* const name : {"second", "third"}) {
    auto const back = read_back(folder / name);
    CHECK(back.ending.complete);
    REQUIRE(back.outcomes.size() == 1);
    CHECK(back.outcomes[0].count == 7);
  }
}
