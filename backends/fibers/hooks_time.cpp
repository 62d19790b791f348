/// Sleeping: the others go on.
#include <unistd.h>
#include <cerrno>
#include <ctime>

#include "backends/fibers/here.hpp"
#include "backends/fibers/hooks.hpp"

namespace earl::fibers {

namespace {

void sleep_until(Deadline deadline) {
  here.scheduler->yield();
  while (Clock::now() < deadline) {
    here.scheduler->wait(deadline);
    take_signals();
  }
}

Clock::duration as_duration(timespec const& time) {
  return std::chrono::seconds{time.tv_sec} + std::chrono::nanoseconds{time.tv_nsec};
}

unsigned sleep_seconds(unsigned seconds) {
  sleep_until(Clock::now() + std::chrono::seconds{seconds});
  return 0;
}

int sleep_microseconds(useconds_t microseconds) {
  sleep_until(Clock::now() + std::chrono::microseconds{microseconds});
  return 0;
}

int sleep_time(timespec const* time, timespec* left) {
  if (left) *left = {};
  sleep_until(Clock::now() + as_duration(*time));
  return 0;
}

int sleep_by_clock(clockid_t clock, int flags, timespec const* time, timespec* left) {
  auto wait = as_duration(*time);
  if ((flags & TIMER_ABSTIME) != 0) {
    timespec now{};
    ::clock_gettime(clock, &now);
    wait -= as_duration(now);
  }
  if (left) *left = {};
  sleep_until(Clock::now() + wait);
  return 0;
}

int yield_processor() {
  here.scheduler->yield();
  return 0;
}

}  // namespace

std::span<Hook const> time_hooks() {
  static Hook const table[] = {
      hook("sleep", sleep_seconds),         hook("usleep", sleep_microseconds),
      hook("nanosleep", sleep_time),        hook("clock_nanosleep", sleep_by_clock),
      hook("sched_yield", yield_processor),
  };
  return table;
}

}  // namespace earl::fibers
