// SPDX-License-Identifier: BSD-3-Clause
#include "exec/launcher/events/loop.hpp"

#include <sys/epoll.h>
#include <unistd.h>

#include <array>
#include <catch2/catch.hpp>

#include "generic/system/pipe.hpp"

using namespace earl;
using namespace earl::exec;

TEST_CASE("due timers come in order, and later when they are postponed") {
  Loop loop;
  std::string order;
  auto const start = Clock::now();
  constexpr auto later = std::chrono::milliseconds{20};
  constexpr auto sooner = std::chrono::milliseconds{1};
  loop.after(later, [&] { order += "b"; });
  loop.after(sooner, [&] { order += "a"; });
  // Unless the process was preempted in between.
  bool const asked_at_once = Clock::now() - start < later - sooner;
  constexpr auto pause = std::chrono::milliseconds{30};
  loop.postpone(pause);
  while (order.size() < 2) loop.turn();
  if (asked_at_once) CHECK(order == "ab");
  CHECK(Clock::now() - start >= pause);
}

TEST_CASE("an event of a file that was closed is none of the file that has its number now") {
  Loop loop;
  std::array<Pipe, 2> pipes{make_pipe("one"), make_pipe("other")};
  Pipe late;
  int received = 0;
  // The first of the two closes the other, whose event is known already.
  for (std::size_t n = 0; n < pipes.size(); ++n)
    loop.watch(pipes[n].read.get(), EPOLLIN, [&, n](std::uint32_t) {
      auto& other = pipes[1 - n].read;
      int const number = other.get();
      loop.remove(number);
      other.close();
      late = make_pipe("late");
      REQUIRE(late.read.get() == number);
      loop.watch(number, EPOLLIN, [&](std::uint32_t) { ++received; });
      loop.remove(pipes[n].read.get());
    });
  for (auto const& pipe : pipes) REQUIRE(::write(pipe.write.get(), "x", 1) == 1);
  loop.turn();
  CHECK(received == 0);
}
