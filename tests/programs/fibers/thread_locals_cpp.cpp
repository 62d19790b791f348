// Thread-local objects of C++ are made and destroyed on each node, and its exceptions are its own.
#include <nx.h>

#include <cstdio>
#include <stdexcept>
#include <string>

#include "../common/check.h"
#include "thread_locals_cpp.hpp"

thread_local Counted in_program{"program"};
static thread_local std::string text = "of node " + std::to_string(mynode());

static void wait_while_catching(int me) {
  try {
    throw std::runtime_error(std::to_string(me));
  } catch (std::exception const& error) {
    gsync();
    try {
      throw me;
    } catch (int number) {
      gsync();
      CHECK(number == me);
    }
    CHECK(error.what() == std::to_string(me));
  }
}

int main() {
  int const me = static_cast<int>(mynode());
  for (int round = 0; round < 10; ++round) {
    ++in_program.uses;
    ++in_library().uses;
    gsync();
    CHECK(in_program.uses == round + 1 && in_library().uses == round + 1);
    CHECK(text == "of node " + std::to_string(me));
    wait_while_catching(me);
  }
  // Destroyed at the end, the last first, and before static objects.
  static Last last;
  last.expected = "library program ";
  return 0;
}
// SPDX-License-Identifier: BSD-3-Clause
