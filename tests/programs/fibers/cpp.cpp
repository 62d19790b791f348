// A C++ rank: static objects are its own, exceptions find their way through its functions while
// other ranks have theirs, its streams are its own.
#include <nx.h>

#include <exception>
#include <iomanip>
#include <iostream>
#include <stdexcept>
#include <string>
#include <vector>

namespace {

int failures = 0;
int living = 0;

#define CHECK(condition)                                                                 \
  do {                                                                                   \
    if (!(condition)) {                                                                  \
      ++failures;                                                                        \
      std::cerr << "node " << mynode() << ", line " << __LINE__ << ": " #condition "\n"; \
    }                                                                                    \
  } while (false)

// Made first, so that it goes last.
struct Verdict {
  ~Verdict() {
    if (failures == 0 && living == 0) std::cout << "EARL-OK" << std::endl;
  }
} verdict;

struct Counted {
  Counted() { ++living; }
  ~Counted() { --living; }
};
Counted counted;

struct Inline {
  static inline int value = 3;
};

struct Refusal : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// The others run meanwhile.
void pass_on() {
  long const me = mynode(), nodes = numnodes();
  long token = me;
  csend(1, reinterpret_cast<char*>(&token), sizeof token, (me + 1) % nodes, 0);
  crecv(1, reinterpret_cast<char*>(&token), sizeof token);
  CHECK(token == (me + nodes - 1) % nodes);
}

void fail(int depth) {
  Counted const local;
  if (depth == 0) throw Refusal("node " + std::to_string(mynode()));
  fail(depth - 1);
}

void exceptions() {
  std::string const mine = "node " + std::to_string(mynode());
  try {
    fail(10);
  } catch (std::exception const& error) {
    CHECK(error.what() == mine);
    pass_on();
    CHECK(error.what() == mine);
    try {
      throw;
    } catch (Refusal const& again) {
      pass_on();
      CHECK(again.what() == mine);
    }
  }
  CHECK(living == 1 && std::uncaught_exceptions() == 0);
  bool caught = false;
  try {
    static_cast<void>(std::vector<int>(3).at(4));
  } catch (std::out_of_range const&) {
    caught = true;
  }
  CHECK(caught);
}

void streams() {
  int const base = mynode() % 2 == 0 ? 16 : 10;
  std::cout << std::setbase(base) << std::setfill(mynode() % 2 == 0 ? '*' : '-');
  gsync();
  CHECK((std::cout.flags() & std::ios_base::hex) == (base == 16 ? std::ios_base::hex : 0));
  CHECK(std::cout.fill() == (mynode() % 2 == 0 ? '*' : '-'));
}

int made_once() {
  static int const made = ++living;
  return made;
}

}  // namespace

int main() {
  CHECK(living == 1 && Inline::value == 3);
  Inline::value = static_cast<int>(mynode());
  gsync();
  CHECK(Inline::value == mynode());
  for (int round = 0; round < 5; ++round) exceptions();
  streams();
  CHECK(made_once() == 2 && made_once() == 2);
  --living;
  return failures;
}
// SPDX-License-Identifier: BSD-3-Clause
