/// The waiting half of the port: what it waits for, and the ladder from spinning to sleeping.
#include <sched.h>

#include <algorithm>

#include "backends/shm/port.hpp"

namespace earl::shm {

namespace {

/// Polls between two looks at the clock, which costs as much as several of them.
constexpr int polls_per_look = 64;
/// Looks at the most likely source for one at all that can happen.
constexpr int looks_per_poll = 4;
/// Waits that take no time, as the loops of programs that probe make them, before the CPU is given
/// away all the same: there may be more on this machine than this job.
constexpr std::uint32_t waits_per_yield = 32;
/// Polls before the CPU is given away when there are more processes than CPUs.
constexpr int polls_when_crowded = 8;
/// Somebody is reading our memory: about as long as ten megabytes take.
constexpr std::chrono::nanoseconds spin_while_read = std::chrono::microseconds{500};

}  // namespace

void ShmPort::wait(Deadline deadline) {
  bool const crowded = !policy_.may_spin(head_.processes.load(std::memory_order_relaxed));
  if (ready()) {
    // Nothing to wait for.
  } else if (deadline == Deadline{}) {
    // Whom we look out for may need this CPU.
    if (crowded || ++vain_waits_ % waits_per_yield == 0) ::sched_yield();
  } else if (!spin(deadline) && !yield(deadline)) {
    sleep(deadline);
  }
  woken_.store(false, std::memory_order_relaxed);
}

void ShmPort::sleep(Deadline deadline) {
  publish_all();
  const Deadline before = Clock::now();
  sleep_at(door_, sleep_, fences_, deadline, [this] { return ask_for_room() || ready(); });
  const Deadline after = Clock::now();
  linger_ = policy_.linger_after(after - before, after < deadline);
}

void ShmPort::wake() {
  woken_.store(true, std::memory_order_relaxed);
  ring_bell(door_);
}

/// True: something is there, or the deadline has passed.
bool ShmPort::spin(Deadline deadline) {
  if (!policy_.may_spin(head_.processes.load(std::memory_order_relaxed))) {
    if (policy_.kind == WaitPolicy::Kind::block) return false;
    for (int i = 0; i < polls_when_crowded; ++i, relax())
      if (ready()) return true;
    return false;
  }
  bool const forever = policy_.kind == WaitPolicy::Kind::spin;
  Deadline end{};
  while (true) {
    for (int i = 0; i < polls_per_look; ++i, relax())
      if (i % looks_per_poll == 0 ? ready() : recent_ && recent_->in.ready()) return true;
    const Deadline now = Clock::now();
    if (now >= deadline) return true;
    if (end == Deadline{})
      end = now + std::max(exposures_.being_read() ? spin_while_read : policy_.spin, linger_);
    else if (now >= end && !forever)
      return false;
  }
}

/// True: something is there, or the deadline has passed.
bool ShmPort::yield(Deadline deadline) {
  if (policy_.kind == WaitPolicy::Kind::block) return false;
  bool const forever = policy_.kind == WaitPolicy::Kind::yield;
  const Deadline start = linger_ == linger_.zero() ? Deadline{} : Clock::now();
  for (std::uint32_t i = 0;; ++i) {
    const Deadline now = Clock::now();
    if (now >= deadline) return true;
    if (!forever && i >= policy_.yields && now - start >= linger_) return false;
    ::sched_yield();
    if (ready()) return true;
  }
}

bool ShmPort::ready() {
  return packet_there() || door_.knocks.load(std::memory_order_relaxed) != knocks_ ||
         head_.deaths.load(std::memory_order_relaxed) != deaths_ || !dying_.empty() ||
         woken_.load(std::memory_order_relaxed) || (!waiting_.empty() && room_there());
}

bool ShmPort::packet_there() {
  bool there = false;
  active_.each([&](Rank from) {
    if (there) return;
    Peer& source = peer(from);
    there = open_reader(source, from) && source.in.ready();
  });
  return there;
}

/// Tells of room once; a put() that then fails asks again.
bool ShmPort::room_there() {
  for (const Rank to : waiting_) {
    Peer& dest = peer(to);
    if (!has_ended(*dest.door) && !dest.out.has_room()) continue;
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
