// SPDX-License-Identifier: BSD-3-Clause
/// Run under ThreadSanitizer: a ticket lock's holders see what those before them have written, and
/// a process that sleeps until it is its turn is woken.
#include <cstdio>
#include <thread>
#include <vector>

#include "generic/system/ticket_lock.hpp"

namespace {

constexpr int threads = 4, rounds = 2000;

struct Shared {
  earl::TicketLock tickets{};
  earl::SleepingLock::Note notes[threads] = {};
  std::atomic<int> woken[threads] = {};
  long left = 0, right = 0;  ///< the same, whenever the lock is free
  std::atomic<int> faults{0};
};

struct Member {
  Shared& shared;
  std::uint32_t me;

  void idle() const { std::this_thread::yield(); }
  void sleep() const {
    shared.woken[me].wait(0);
    --shared.woken[me];
  }
  void wake(std::uint32_t other) const {
    ++shared.woken[other];
    shared.woken[other].notify_one();
  }

  void run() const {
    earl::SleepingLock lock{shared.tickets, shared.notes};
    for (int i = 0; i < rounds; ++i) {
      bool const writes = (static_cast<int>(me) + i) % 3 == 0;
      auto const type = writes ? earl::LockType::exclusive : earl::LockType::shared;
      lock.lock(*this, me, type);
      if (shared.left != shared.right) ++shared.faults;
      if (writes) {
        ++shared.left;
        ++shared.right;
      }
      lock.unlock(*this, type);
    }
  }
};

}  // namespace

int main() {
  Shared shared;
  std::vector<std::thread> all;
  for (std::uint32_t me = 0; me < threads; ++me)
    all.emplace_back([&shared, me] { Member{shared, me}.run(); });
  for (auto& thread : all) thread.join();
  constexpr long writes = 2667;  // of all rounds
  if (shared.faults == 0 && shared.left == writes && shared.right == writes) return 0;
  std::printf("%d faults, %ld and %ld writes of %ld\n", shared.faults.load(), shared.left,
              shared.right, writes);
  return 1;
}
