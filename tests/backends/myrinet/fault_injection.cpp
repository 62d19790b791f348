// SPDX-License-Identifier: BSD-3-Clause
/// Faults that are asked for: the setting, and how often they strike.
#include "backends/myrinet/fault_injection.hpp"

#include <catch2/catch.hpp>
#include <cstdlib>
#include <string>

#include "generic/base/error.hpp"

using namespace earl;
using namespace earl::myrinet;
using Catch::Matchers::Contains;

namespace {

FaultInjection asked_for(std::string const& setting) {
  ::setenv("EARL_MYRINET_FAULT", setting.c_str(), 1);
  struct Forget {
    ~Forget() { ::unsetenv("EARL_MYRINET_FAULT"); }
  } const forget;
  return FaultInjection::from_environment();
}

std::size_t struck(FaultInjection const& fault, Rank rank) {
  std::size_t all = 0;
  for (std::uint64_t number = 0; number < 10'000; ++number) all += fault.strikes(rank, number);
  return all;
}

}  // namespace

TEST_CASE("a fault strikes the packet that was named, a cut cable all behind it") {
  CHECK(struck(asked_for("lose:1:20"), Rank{1}) == 1);
  CHECK(asked_for("lose:1:20").strikes(Rank{1}, 20));
  CHECK(struck(asked_for("lose:1:20"), Rank{0}) == 0);
  CHECK(struck(asked_for("cut:1:20"), Rank{1}) == 10'000 - 20);
  CHECK(struck(asked_for(""), Rank{1}) == 0);
}

TEST_CASE("a leak takes about as many as were asked for, others for each process and seed") {
  auto const leak = asked_for("leak:7:10");
  for (int rank = 0; rank < 4; ++rank) {
    CHECK(struck(leak, Rank{rank}) > 900);
    CHECK(struck(leak, Rank{rank}) < 1100);
  }
  auto const differ = [](FaultInjection const& one, Rank rank, FaultInjection const& other,
                         Rank another) {
    for (std::uint64_t number = 0; number < 100; ++number)
      if (one.strikes(rank, number) != other.strikes(another, number)) return true;
    return false;
  };
  CHECK(differ(leak, Rank{0}, leak, Rank{1}));
  CHECK(differ(leak, Rank{0}, asked_for("leak:8:10"), Rank{0}));
  CHECK_FALSE(differ(leak, Rank{0}, asked_for("leak:7:10"), Rank{0}));
}

TEST_CASE("a fault that makes no sense is refused") {
  auto const* const setting =
      GENERATE("bite:1:2", "flip", "flip:x:2", "flip:1:", "leak:1:51", "lose:-1:2");
  CHECK_THROWS_WITH(asked_for(setting), Contains("it can be flip, lose, route or cut"));
}
