#include "thread_locals_cpp.hpp"

static thread_local Counted counted{"library"};

Counted& in_library() { return counted; }

// Never destroyed itself.
std::string& destroyed() {
  static auto* const names = new std::string;
  return *names;
}
// SPDX-License-Identifier: BSD-3-Clause
