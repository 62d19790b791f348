// SPDX-License-Identifier: BSD-3-Clause
#include <cstdio>

#include "generic/base/error.hpp"
#include "tests/conformance/conformance.hpp"

int main() {
  earl::boot::load("conformance");
  earl::Process* const me = earl::self();
  try {
    earl::conformance::run(*me, static_cast<int>(me->table().initial()));
  } catch (earl::Error const& error) {
    me->end(1, error.what());
  }
  std::puts("EARL-OK");
}
