// SPDX-License-Identifier: BSD-3-Clause
/// Ranks that sleep at their doors and others that wake them, each a thread, for ThreadSanitizer:
/// what is handed over with a place in a RankSet must be ordered by the set's own atomics, and no
/// wake-up may be lost (then the program does not end). Exit code 0: all came.
#include <cstdio>
#include <memory>
#include <thread>
#include <vector>

#include "backends/shm/arena.hpp"
#include "backends/shm/door.hpp"
#include "generic/base/error.hpp"

using namespace earl;
using namespace earl::shm;

namespace {

constexpr int senders = 3;
constexpr int rounds = 3'000;

/// Plain memory: only the set orders it. Each sender sleeps until its last number was taken.
struct Parcel {
  int number = 0;
};

class Exchange {
 public:
  explicit Exchange(bool one_sided)
      : fences_(one_sided), segment_(Segment::create(senders + 1)), parcels_(senders + 1) {}

  void run() {
    std::vector<std::thread> threads;
    for (int rank = 1; rank <= senders; ++rank)
      threads.emplace_back([this, rank] { send(Rank{rank}); });
    receive();
    for (std::thread& thread : threads) thread.join();
  }

 private:
  RankSet set_of(Rank rank) { return {segment_, segment_.layout().active_set(rank)}; }
  Doorbell& bell_of(Rank rank) { return segment_.door(rank); }

  void hand_over(Rank from, Rank to) {
    set_of(to).add(from);
    fences_.own();
    wake_if_asleep(bell_of(to));
  }

  /// Until another rank has handed something over.
  void wait_for(Rank me, Rank other, std::uint32_t& sleep) {
    const RankSet mine = set_of(me);
    while (!mine.has(other))
      sleep_at(bell_of(me), sleep, fences_, never, [&] { return mine.has(other); });
    set_of(me).remove(other);
  }

  void send(Rank me) {
    std::uint32_t sleep = 0;
    for (int n = 0; n < rounds; ++n) {
      parcels_[index(me)].number = n;
      hand_over(me, Rank{0});
      wait_for(me, Rank{0}, sleep);
    }
  }

  void take(Rank from) {
    set_of(Rank{0}).remove(from);
    EARL_CHECK(parcels_[index(from)].number == taken_[index(from)]);
    ++taken_[index(from)];
    ++all_;
    hand_over(Rank{0}, from);
  }

  void receive() {
    std::uint32_t sleep = 0;
    const RankSet mine = set_of(Rank{0});
    auto const any = [&] {
      bool some = false;
      mine.each([&](Rank) { some = true; });
      return some;
    };
    while (all_ < senders * rounds) {
      sleep_at(bell_of(Rank{0}), sleep, fences_, never, any);
      mine.each([&](Rank rank) { take(rank); });
    }
  }

  Fences fences_;
  Segment segment_;
  std::vector<Parcel> parcels_;
  int taken_[senders + 1] = {};
  int all_ = 0;
};

}  // namespace

int main() {
  Exchange{false}.run();
  if (Fences::can_be_one_sided()) Exchange{true}.run();
  std::printf("%d numbers of each of %d\n", rounds, senders);
  return 0;
}
