// SPDX-License-Identifier: BSD-3-Clause
#include "generic/system/ticket_lock.hpp"

#include <catch2/catch.hpp>

using earl::TicketLock;

TEST_CASE("a ticket lock is held by several or by one, in the order in which they asked") {
  TicketLock lock;
  auto const first = lock.ask(), second = lock.ask(), alone = lock.ask(), last = lock.ask();
  CHECK_FALSE(lock.enter_shared(second));
  CHECK(lock.enter_shared(first));
  CHECK(lock.enter_shared(second));
  CHECK_FALSE(lock.enter_exclusive(alone));
  CHECK_FALSE(lock.enter_shared(last));
  lock.leave_shared();
  CHECK_FALSE(lock.enter_exclusive(alone));
  CHECK(lock.leave_shared() == alone);
  CHECK(lock.enter_exclusive(alone));
  CHECK_FALSE(lock.enter_shared(last));
  CHECK(lock.leave_exclusive() == last);
  CHECK(lock.enter_shared(last));
  lock.leave_shared();
  CHECK(lock.enter_exclusive(lock.ask()));
}
