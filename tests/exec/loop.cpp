#include "exec/events/loop.hpp"

#include <catch2/catch.hpp>

using namespace earl;
using namespace earl::exec;

TEST_CASE("what is due comes in order, and later when it is postponed") {
  Loop loop;
  std::string order;
  auto const start = Clock::now();
  loop.after(std::chrono::milliseconds{2}, [&] { order += "b"; });
  loop.after(std::chrono::milliseconds{1}, [&] { order += "a"; });
  constexpr auto pause = std::chrono::milliseconds{30};
  loop.postpone(pause);
  while (order.size() < 2) loop.turn();
  CHECK(order == "ab");
  CHECK(Clock::now() - start >= pause);
}
