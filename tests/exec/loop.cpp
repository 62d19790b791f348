#include "exec/events/loop.hpp"

#include <catch2/catch.hpp>

using namespace earl;
using namespace earl::exec;

TEST_CASE("what is due comes in order, and later when it is postponed") {
  Loop loop;
  std::string order;
  auto const start = Clock::now();
  constexpr auto later = std::chrono::milliseconds{20};
  constexpr auto sooner = std::chrono::milliseconds{1};
  loop.after(later, [&] { order += "b"; });
  loop.after(sooner, [&] { order += "a"; });
  // Unless the processor was taken away in between.
  bool const asked_at_once = Clock::now() - start < later - sooner;
  constexpr auto pause = std::chrono::milliseconds{30};
  loop.postpone(pause);
  while (order.size() < 2) loop.turn();
  if (asked_at_once) CHECK(order == "ab");
  CHECK(Clock::now() - start >= pause);
}
