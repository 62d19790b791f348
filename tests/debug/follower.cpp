// SPDX-License-Identifier: BSD-3-Clause
#include "debug/trace/follower.hpp"

#include <algorithm>
#include <catch2/catch.hpp>

#include "tests/debug/helpers.hpp"

using namespace earl;
using namespace earl::trace;

namespace {

/// Puts pieces in place at home, and keeps the file's content after each time.
struct Home {
  std::string path;
  std::vector<std::string> states{};
  std::string file{};

  void take(std::vector<FilePiece> const& pieces) {
    for (auto const& piece : pieces) {
      file.resize(std::max<std::size_t>(file.size(), piece.offset + piece.bytes.size()));
      std::copy(piece.bytes.begin(), piece.bytes.end(),
                file.begin() + static_cast<std::ptrdiff_t>(piece.offset));
      file.resize(std::min<std::size_t>(file.size(), piece.size));
    }
    if (!pieces.empty()) states.push_back(file);
  }
  ReadBack read(std::string const& state) const {
    write_file(path, state);
    return read_back(path);
  }
};

Outcome numbered(std::uint64_t n) {
  return receive_of(n, static_cast<std::int32_t>(n * 7 % 5), n / 5);
}

}  // namespace

TEST_CASE("a trace that is followed is at home whole, and at each moment one that was cut") {
  TemporaryFolder const folder;
  Home home{.path = folder / "home"};
  auto options = options_for(folder / "r");
  options.tail_room = 512;
  std::vector<Outcome> all;
  Follower follower(options.path, options.rank);
  CHECK(follower.changed_pieces().empty());  // there is no file yet
  {
    TraceWriter writer(options);
    auto const looks = GENERATE(1U, 3U, 50U, 100'000U);
    for (std::uint64_t n = 0; n < 3000; ++n) {
      all.push_back(numbered(n));
      writer.event(all.back().event);
      put(writer, all.back());
      if (n % looks == 0) home.take(follower.changed_pieces());
    }
    writer.finish(6000, 0, 7);
  }
  home.take(follower.changed_pieces());
  CHECK(follower.changed_pieces().empty());
  auto const whole = home.read(home.file);
  CHECK(whole.ending.complete);
  CHECK(whole.outcomes == all);
  std::size_t had = 0;
  auto const step = home.states.size() / 200 + 1;
  for (std::size_t i = 0; i < home.states.size(); i += step) {
    auto const part = home.read(home.states[i]);
    CHECK(part.ending.gaps.empty());
    REQUIRE(part.outcomes.size() <= all.size());
    CHECK(std::equal(part.outcomes.begin(), part.outcomes.end(), all.begin()));
    CHECK(part.outcomes.size() >= had);
    had = part.outcomes.size();
  }
}
