// SPDX-License-Identifier: BSD-3-Clause
#include "debug/trace/prefix.hpp"

#include <sys/stat.h>

#include <catch2/catch.hpp>
#include <random>
#include <set>

#include "debug/trace/reader.hpp"
#include "debug/trace/trace_file.hpp"
#include "tests/debug/helpers.hpp"

using namespace earl;

namespace {

Bytes prefix_bytes(std::string const& text) { return std::as_bytes(std::span{text}); }

trace::Prefix some_prefix() {
  trace::Prefix prefix;
  for (std::uint64_t n = 0; n < 1000; ++n) prefix.received({Rank{1}, n});
  prefix.received({Rank{7}, 40});
  prefix.cancelled(12);
  prefix.probed({Rank{7}, 40});
  prefix.received({Rank{7}, 40});
  prefix.probed({Rank{7}, 41});
  trace::Position position;
  position.operation();
  position.call();
  prefix.close(4096, position, 300, {20, 299});
  return prefix;
}

}  // namespace

TEST_CASE("ranges hold the numbers that were added and no others") {
  std::mt19937 draw(3);
  trace::Ranges ranges;
  std::set<std::uint64_t> all;
  for (int i = 0; i < 400; ++i) {
    std::uint64_t const begin = draw() % 300;
    std::uint64_t const end = begin + 1 + draw() % 3;
    ranges.add(begin, end);
    for (auto n = begin; n < end; ++n) all.insert(n);
    for (std::uint64_t n = 0; n < 310; ++n) REQUIRE(ranges.contains(n) == all.contains(n));
  }
  // No two touch.
  std::uint64_t last = 0;
  for (auto const& [begin, end] : ranges.all()) {
    if (last != 0) CHECK(begin > last);
    CHECK(end > begin);
    last = end;
  }
}

TEST_CASE("a prefix reads back as it was written") {
  auto const text = some_prefix().to_bytes();
  CHECK(text.size() < 40);
  auto const read = trace::Prefix::from(prefix_bytes(text));
  REQUIRE(read);
  CHECK(read->to_bytes() == text);
  CHECK(read->first_event() == 4096);
  CHECK(read->end().operations() == 1);
  CHECK(read->end().calls() == 1);
  CHECK(read->has_receive(19));
  CHECK_FALSE(read->has_receive(20));   // it had no message
  CHECK_FALSE(read->has_receive(300));  // it was posted later
  CHECK(read->was_cancelled(12));
  CHECK_FALSE(read->was_cancelled(13));
  CHECK(read->has_message({Rank{1}, 999}));
  CHECK_FALSE(read->has_message({Rank{1}, 1000}));
  CHECK_FALSE(read->has_message({Rank{2}, 0}));
  CHECK_FALSE(read->was_probed({Rank{7}, 40}));  // it was received
  CHECK(read->was_probed({Rank{7}, 41}));
  CHECK(read->sources() == std::vector{Rank{1}, Rank{7}});
}

TEST_CASE("bytes that are cut are no prefix") {
  auto const text = some_prefix().to_bytes();
  for (std::size_t size = 0; size < text.size(); ++size)
    CHECK_FALSE(trace::Prefix::from(prefix_bytes(text.substr(0, size))));
}

TEST_CASE("a file that is kept in part has its latest frames and stays small") {
  TemporaryFolder const folder;
  std::string const path = folder / "r";
  constexpr std::uint64_t keep = 256U << 10;
  constexpr std::uint64_t records = 2'000'000;
  std::mt19937 draw(5);
  std::uint64_t parts = 0;
  {
    trace::TraceFile file({.path = path, .rank = Rank{0}, .keep = keep});
    for (std::uint64_t n = 1; n <= records; ++n) {
      file.event(n);
      if (file.part_is_due()) {
        trace::Prefix prefix;
        prefix.close(n, {}, 0, {});
        auto const text = prefix.to_bytes();
        file.begin_part(prefix_bytes(text));
        ++parts;
      }
      auto* const to = file.reserve(2);
      REQUIRE(to != nullptr);
      to[0] = static_cast<std::byte>(draw());
      to[1] = static_cast<std::byte>(draw());
      file.commit(2);
    }
  }
  CHECK(parts > 20);
  struct stat about {};
  REQUIRE(::stat(path.c_str(), &about) == 0);
  CHECK(static_cast<std::uint64_t>(about.st_blocks) * 512 <= keep);
  CHECK(static_cast<std::uint64_t>(about.st_size) > keep);
  trace::TraceReader reader(path);
  REQUIRE(reader.prefix());
  auto const first = reader.prefix()->first_event();
  CHECK(first > records / 2);
  std::uint64_t bytes = 0;
  while (auto const frame = reader.next_record(trace::FrameKind::order)) bytes += frame->size();
  CHECK(bytes == 2 * (records - first + 1));
  CHECK(reader.ending().gaps.empty());
  CHECK(reader.parts().size() == 2);
  CHECK(reader.parts().front() == first);
}
