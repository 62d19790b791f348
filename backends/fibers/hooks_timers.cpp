// SPDX-License-Identifier: BSD-3-Clause
/// Timers that send a rank SIGALRM. It comes while the rank waits or sleeps, not while it computes.
#include <sys/time.h>
#include <unistd.h>

#include <algorithm>

#include "backends/fibers/here.hpp"
#include "backends/fibers/hooks.hpp"

namespace earl::fibers {

namespace {

using std::chrono::microseconds;

microseconds as_duration(timeval const& time) {
  return std::chrono::seconds{time.tv_sec} + microseconds{time.tv_usec};
}

timeval as_time(microseconds time) {
  auto const seconds = std::chrono::floor<std::chrono::seconds>(time);
  return {.tv_sec = seconds.count(), .tv_usec = (time - seconds).count()};
}

/// Nothing for a timer that does not run; else at least the smallest time there is.
microseconds left() {
  auto const& timer = me().timer;
  if (timer.next == never) return microseconds{0};
  auto const rest = timer.next - here.scheduler->clock().now();
  return std::max(std::chrono::ceil<microseconds>(rest), microseconds{1});
}

void set(microseconds first, microseconds every) {
  auto const now = here.scheduler->clock().now();
  me().timer.next = first == microseconds{0} ? never : now + first;
  me().timer.every = every;
  here.scheduler->set_timer(me());
}

unsigned alarm_after(unsigned seconds) {
  auto const before = std::chrono::ceil<std::chrono::seconds>(left());
  set(std::chrono::seconds{seconds}, {});
  return static_cast<unsigned>(before.count());
}

useconds_t alarms_after(useconds_t first, useconds_t every) {
  auto const before = left();
  set(microseconds{first}, microseconds{every});
  return static_cast<useconds_t>(before.count());
}

int read_timer(__itimer_which which, itimerval* timer) {
  if (which != ITIMER_REAL) return ::getitimer(which, timer);
  auto const every = std::chrono::duration_cast<microseconds>(me().timer.every);
  *timer = {.it_interval = as_time(every), .it_value = as_time(left())};
  return 0;
}

int set_timer(__itimer_which which, itimerval const* timer, itimerval* old) {
  if (which != ITIMER_REAL) return ::setitimer(which, timer, old);
  if (old) read_timer(which, old);
  if (timer) set(as_duration(timer->it_value), as_duration(timer->it_interval));
  return 0;
}

}  // namespace

std::span<Hook const> timer_hooks() {
  static Hook const table[] = {
      hook("alarm", alarm_after),
      hook("ualarm", alarms_after),
      hook("getitimer", read_timer),
      hook("setitimer", set_timer),
  };
  return table;
}

}  // namespace earl::fibers
