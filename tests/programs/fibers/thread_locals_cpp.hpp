// The destruction of these is recorded in a variable of the node's.
#pragma once

#include <cstdio>
#include <string>

std::string& destroyed();

struct Counted {
  explicit Counted(char const* of) : name(of) {}
  ~Counted() { destroyed() += name + std::string(" "); }
  std::string name;
  int uses = 0;
};

// Static: destroyed after all that is thread-local.
struct Last {
  std::string expected;
  ~Last() {
    std::puts(destroyed() == expected ? "EARL-OK" : ("destroyed: " + destroyed()).c_str());
  }
};

Counted& in_library();
// SPDX-License-Identifier: BSD-3-Clause
