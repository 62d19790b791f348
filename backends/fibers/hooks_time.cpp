// SPDX-License-Identifier: BSD-3-Clause
/// Sleeping while other ranks run; and the time, where it is the shared process's own.
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/times.h>
#include <unistd.h>

#include <cerrno>
#include <ctime>

#include "backends/fibers/here.hpp"
#include "backends/fibers/hooks.hpp"

namespace earl::fibers {

namespace {

using std::chrono::nanoseconds;

/// The calendar on which time of its own begins: 1 January 2000, 0:00 UTC.
constexpr nanoseconds first_day = std::chrono::seconds{946'684'800};

SharedClock& clock_here() { return here.scheduler->clock(); }

/// The running rank reads a clock: the time may bound its polling.
SharedClock& clock_read() {
  ++me().clock_reads;
  return clock_here();
}

void sleep_until(Deadline deadline) {
  here.scheduler->yield();
  while (clock_here().now() < deadline) {
    here.scheduler->wait(deadline);
    take_signals();
  }
}

nanoseconds as_duration(timespec const& time) {
  return std::chrono::seconds{time.tv_sec} + nanoseconds{time.tv_nsec};
}

timespec as_time(nanoseconds time) {
  auto const seconds = std::chrono::floor<std::chrono::seconds>(time);
  return {.tv_sec = seconds.count(), .tv_nsec = (time - seconds).count()};
}

unsigned sleep_seconds(unsigned seconds) {
  sleep_until(clock_here().now() + std::chrono::seconds{seconds});
  return 0;
}

int sleep_microseconds(useconds_t microseconds) {
  sleep_until(clock_here().now() + std::chrono::microseconds{microseconds});
  return 0;
}

int sleep_time(timespec const* time, timespec* left) {
  if (left) *left = {};
  sleep_until(clock_here().now() + as_duration(*time));
  return 0;
}

int yield_processor() {
  here.scheduler->yield();
  return 0;
}

/// Under virtual time: the cost of a program's look at the clock.
nanoseconds age() {
  clock_here().tick();
  return clock_here().age();
}

int read_clock(clockid_t clock, timespec* time) {
  if (!clock_read().is_own()) return ::clock_gettime(clock, time);
  bool const calendar = clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE;
  *time = as_time(age() + (calendar ? first_day : nanoseconds{}));
  return 0;
}

int sleep_by_clock(clockid_t clock, int flags, timespec const* time, timespec* left) {
  auto wait = as_duration(*time);
  if ((flags & TIMER_ABSTIME) != 0) {
    timespec now{};
    read_clock(clock, &now);
    wait -= as_duration(now);
  }
  if (left) *left = {};
  sleep_until(clock_here().now() + wait);
  return 0;
}

time_t seconds_of_day(time_t* where) {
  timespec now{};
  read_clock(CLOCK_REALTIME, &now);
  if (where) *where = now.tv_sec;
  return now.tv_sec;
}

int time_of_day(timeval* time, void* zone) {
  if (!clock_read().is_own()) return ::gettimeofday(time, static_cast<struct timezone*>(zone));
  timespec now{};
  read_clock(CLOCK_REALTIME, &now);
  *time = {.tv_sec = now.tv_sec, .tv_usec = now.tv_nsec / 1000};
  return 0;
}

int time_by_base(timespec* time, int base) {
  if (base != TIME_UTC) return 0;
  read_clock(CLOCK_REALTIME, time);
  return base;
}

/// No other rank runs meanwhile.
clock_t processor_time() {
  if (!clock_read().is_own()) return ::clock();
  return static_cast<clock_t>(age() / std::chrono::microseconds{1});
}

clock_t processor_times(tms* times) {
  if (!clock_read().is_own()) return ::times(times);
  auto const ticks = static_cast<clock_t>(age() * ::sysconf(_SC_CLK_TCK) / std::chrono::seconds{1});
  if (times) *times = {.tms_utime = ticks, .tms_stime = 0, .tms_cutime = 0, .tms_cstime = 0};
  return ticks;
}

int resources_used(int whose, rusage* used) {
  clock_read();
  return ::getrusage(static_cast<__rusage_who_t>(whose), used);
}

}  // namespace

std::span<Hook const> time_hooks() {
  static Hook const table[] = {
      hook("sleep", sleep_seconds),         hook("usleep", sleep_microseconds),
      hook("nanosleep", sleep_time),        hook("clock_nanosleep", sleep_by_clock),
      hook("sched_yield", yield_processor), hook("clock_gettime", read_clock),
      hook("time", seconds_of_day),         hook("gettimeofday", time_of_day),
      hook("timespec_get", time_by_base),   hook("clock", processor_time),
      hook("times", processor_times),       hook("getrusage", resources_used),
  };
  return table;
}

}  // namespace earl::fibers
