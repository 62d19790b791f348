// SPDX-License-Identifier: BSD-3-Clause
/// The end of connections: with the process at their other end, or alone, and then packets are
/// lost.
#include <sys/timerfd.h>
#include <unistd.h>

#include <cerrno>

#include "backends/net/tcp/link.hpp"
#include "generic/base/error.hpp"

namespace earl::tcp {

namespace {

/// By then EXEC has announced the end of a process whose connection has closed. The time passes
/// only while this process runs: it may have been stopped, and EXEC with it.
constexpr int seconds_of_suspicion = 10;

/// Ticks once a second.
Descriptor make_clock() {
  Descriptor clock(::timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC | TFD_NONBLOCK));
  itimerspec const each_second{.it_interval = {.tv_sec = 1, .tv_nsec = 0},
                               .it_value = {.tv_sec = 1, .tv_nsec = 0}};
  if (!clock || ::timerfd_settime(clock.get(), 0, &each_second, nullptr) != 0)
    throw Error(Fault::full, "no timer: {}", system_message(errno));
  return clock;
}

}  // namespace

void TcpLink::link_broke(Rank peer, std::string const& reason) {
  if (ended_.contains(number(peer))) return;
  broken_.try_emplace(number(peer), BrokenLink{.reason = reason});
  if (clock_) return;
  clock_ = make_clock();
  add(clock_.get(), the_clock, EPOLLIN);
}

void TcpLink::clear(Rank peer) {
  broken_.erase(number(peer));
  if (broken_.empty()) clock_.close();
}

/// One second more, at most: the clock may have gone on while this process could not.
void TcpLink::judge() {
  std::uint64_t ticks = 0;
  if (!clock_ || ::read(clock_.get(), &ticks, sizeof ticks) != sizeof ticks) return;
  for (auto& [rank, one] : broken_)
    if (++one.seconds > seconds_of_suspicion)
      throw Error("the connection with {} broke, and messages under way are lost: {}",
                  names_(Rank{rank}), one.reason);
}

/// Goes on reading, so that two leaving processes do not wait for each other.
void TcpLink::close(Deadline deadline) {
  constexpr auto nap = std::chrono::milliseconds{1};
  net::DiscardingFrameSink sink;
  while (!all_acknowledged() && Clock::now() < deadline) {
    progress(sink, SIZE_MAX);
    if (!all_acknowledged()) sleep(std::min(deadline, Clock::now() + nap));
  }
}

}  // namespace earl::tcp
