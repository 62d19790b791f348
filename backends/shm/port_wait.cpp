// SPDX-License-Identifier: BSD-3-Clause
/// The waiting half of the port: its wake-up conditions, and its polling.
#include <sched.h>

#include <algorithm>

#include "backends/shm/port.hpp"

namespace earl::shm {

namespace {

/// Polls between two looks at the clock, which costs as much as several of them.
constexpr int polls_per_look = 64;
/// Looks at the most likely source for one at all that can happen.
constexpr int polls_per_check = 4;
/// Waits that take no time, as the loops of programs that probe make them, before the CPU is given
/// away all the same: there may be more on this host than this job.
constexpr std::uint32_t waits_per_yield = 32;
/// A process that sleeps for longer than this looks whether its shared words are still sound; then
/// after twice that time, and so on.
constexpr std::chrono::nanoseconds shortest_nap = std::chrono::milliseconds{100};
constexpr std::chrono::nanoseconds longest_nap = std::chrono::seconds{8};
/// A receiver is reading our memory: about as long as ten megabytes take.
constexpr std::chrono::nanoseconds spin_while_read = std::chrono::microseconds{500};

}  // namespace

void ShmPort::wait(Deadline deadline) {
  if (ready()) {
    // Nothing to wait for.
  } else if (deadline == Deadline{}) {
    // The awaited process may need this CPU.
    bool const oversubscribed =
        !waiter_.policy().may_spin(head_.processes.load(std::memory_order_relaxed));
    if (oversubscribed || ++failed_waits_ % waits_per_yield == 0) ::sched_yield();
  } else if (!exposures_.write_chunk() && !await(deadline)) {
    sleep(deadline);
  }
  woken_.store(false, std::memory_order_relaxed);
}

/// Wakes up now and then even without a ring: the word that says that it sleeps may be damaged.
void ShmPort::sleep(Deadline deadline) {
  publish_all();
  nap_ = std::clamp(2 * nap_, shortest_nap, longest_nap);
  auto const until = std::min(deadline, Clock::now() + nap_);
  bool const woken = waiter_.sleep(until, [&] {
    return sleep_at(door_, sleep_, fences_, until, [this] { return ask_for_room() || ready(); });
  });
  if (woken)
    nap_ = {};
  else
    check_own();
}

void ShmPort::wake() {
  woken_.store(true, std::memory_order_relaxed);
  ring_bell(door_);
}

/// True: something is there, or the deadline has passed.
bool ShmPort::await(Deadline deadline) {
  Looking const looking{
      .looks = polls_per_look,
      .least = exposures_.being_read() ? spin_while_read : std::chrono::nanoseconds{0}};
  return waiter_.await(deadline, looking, [this](int i) {
    if (i % polls_per_check == 0) return ready();
    return (recent_ && recent_->in.ready()) || awaited().there() || exposures_.has_chunk_to_write();
  });
}

bool ShmPort::ready() {
  return packet_there() || awaited().there() || notices_.pending() || !dying_.empty() ||
         woken_.load(std::memory_order_relaxed) || (!waiting_.empty() && peer_has_room());
}

bool ShmPort::packet_there() {
  bool there = false;
  active_.each([&](Rank slot) {
    if (there) return;
    Peer* const source = sender_in(slot);
    there = source && source->in.ready();
  });
  return there;
}

/// Signals room once; a put() that then fails asks again.
bool ShmPort::peer_has_room() {
  for (const Rank to : waiting_) {
    Peer& dest = peer(to);
    if (!dest.ended() && !dest.out.has_room()) continue;
    no_longer_full(dest, to);
    return true;
  }
  return false;
}

bool ShmPort::ask_for_room() {
  bool came = false;
  for (const Rank to : waiting_) came |= peer(to).out.ask_for_room();
  return came;
}

}  // namespace earl::shm
