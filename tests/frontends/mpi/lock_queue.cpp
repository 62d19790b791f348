// SPDX-License-Identifier: BSD-3-Clause
#include "frontends/mpi/lock_queue.hpp"

#include <catch2/catch.hpp>

using namespace earl;
using namespace earl::mpi;

namespace {

using Ranks = std::vector<Rank>;

}  // namespace

TEST_CASE("an exclusive lock has one holder, and the next one gets it in order") {
  LockQueue lock;
  CHECK(lock.ask(Rank{1}, LockType::exclusive));
  CHECK_FALSE(lock.ask(Rank{2}, LockType::exclusive));
  CHECK_FALSE(lock.ask(Rank{0}, LockType::exclusive));
  CHECK(lock.release(Rank{1}) == Ranks{Rank{2}});
  CHECK(lock.release(Rank{2}) == Ranks{Rank{0}});
  CHECK(lock.release(Rank{0}).empty());
  CHECK(lock.ask(Rank{3}, LockType::shared));
}

TEST_CASE("a shared lock has several holders, but does not overtake an exclusive one that waits") {
  LockQueue lock;
  CHECK(lock.ask(Rank{0}, LockType::shared));
  CHECK(lock.ask(Rank{1}, LockType::shared));
  CHECK_FALSE(lock.ask(Rank{2}, LockType::exclusive));
  CHECK_FALSE(lock.ask(Rank{3}, LockType::shared));
  CHECK_FALSE(lock.ask(Rank{4}, LockType::shared));
  CHECK(lock.release(Rank{1}).empty());
  CHECK(lock.release(Rank{0}) == Ranks{Rank{2}});
  CHECK(lock.release(Rank{2}) == Ranks{Rank{3}, Rank{4}});
}

TEST_CASE("whether a lock waits for others than its owner") {
  LockQueue lock;
  CHECK(lock.ask(Rank{0}, LockType::exclusive));
  CHECK_FALSE(lock.waits_for_others(Rank{1}));  // none waits
  CHECK_FALSE(lock.ask(Rank{2}, LockType::exclusive));
  CHECK_FALSE(lock.waits_for_others(Rank{0}));
  CHECK(lock.waits_for_others(Rank{1}));
}
