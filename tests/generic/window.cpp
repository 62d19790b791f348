// SPDX-License-Identifier: BSD-3-Clause
#include "generic/window.hpp"

#include <catch2/catch.hpp>

using earl::Window;

TEST_CASE("no more is under way than the window holds, until the receiver says it has it") {
  Window window;
  std::size_t under_way = 0;
  for (; window.has_room(1000); under_way += 1000) window.sent(1000);
  CHECK(under_way <= Window::most);
  CHECK(under_way + 1000 > Window::most);
  window.acknowledged(1000);
  CHECK(window.has_room(1000));
}

TEST_CASE("a receiver answers before its sender runs out of room for the largest frame") {
  Window window;
  for (std::size_t size = 0; !window.owes_answer(); size += 100) {
    CHECK(Window::most - size >= Window::largest_frame);
    window.consumed(100);
  }
  CHECK(window.announce() >= Window::answer_after);
  CHECK_FALSE(window.owes_answer());
}

TEST_CASE("an answer that cannot be true changes nothing") {
  Window window;
  window.sent(Window::most);
  window.acknowledged(Window::most + 1);
  CHECK_FALSE(window.has_room(1));
  window.acknowledged(Window::most);
  window.acknowledged(5);  // an old one
  CHECK(window.has_room(Window::most));
}

TEST_CASE("a mark is reached when all that was sent before it has been taken in") {
  Window window;
  window.sent(100);
  auto const mark = window.mark();
  window.sent(50);
  CHECK_FALSE(window.reached(mark));
  window.acknowledged(100);
  CHECK(window.reached(mark));
  CHECK_FALSE(window.reached(window.mark()));
}
