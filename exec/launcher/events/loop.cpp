// SPDX-License-Identifier: BSD-3-Clause
#include "exec/launcher/events/loop.hpp"

#include <sys/epoll.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <span>

#include "generic/base/error.hpp"

namespace earl::exec {

namespace {

constexpr std::size_t most_events = 64;  ///< taken at once

void control(int epoll, int operation, int fd, std::uint32_t events) {
  epoll_event event{};
  event.events = events;
  event.data.fd = fd;
  if (::epoll_ctl(epoll, operation, fd, &event) != 0)
    throw Error("waiting on descriptor {}: {}", fd, system_message(errno));
}

}  // namespace

Loop::Loop() : epoll_(::epoll_create1(EPOLL_CLOEXEC)) {
  if (!epoll_) throw Error("nothing to wait in: {}", system_message(errno));
}

void Loop::watch(int fd, std::uint32_t events, Ready ready) {
  control(epoll_.get(), EPOLL_CTL_ADD, fd, events);
  watched_[fd] = std::make_shared<Ready>(std::move(ready));
}

void Loop::change(int fd, std::uint32_t events) {
  control(epoll_.get(), EPOLL_CTL_MOD, fd, events);
}

void Loop::remove(int fd) {
  if (watched_.erase(fd) != 0) ::epoll_ctl(epoll_.get(), EPOLL_CTL_DEL, fd, nullptr);
}

void Loop::at(Clock::time_point when, Due due) { timers_.emplace(when, std::move(due)); }

int Loop::milliseconds_left() const {
  if (timers_.empty()) return -1;
  auto const left = timers_.begin()->first - Clock::now();
  auto const milliseconds = std::chrono::ceil<std::chrono::milliseconds>(left).count();
  return static_cast<int>(std::clamp<std::int64_t>(milliseconds, 0, 60'000));
}

void Loop::postpone(Clock::duration by) {
  std::multimap<Clock::time_point, Due> later;
  for (auto& [when, due] : timers_) later.emplace(when + by, std::move(due));
  timers_.swap(later);
}

void Loop::turn() {
  std::array<epoll_event, most_events> events{};
  auto const n = ::epoll_wait(epoll_.get(), events.data(), static_cast<int>(events.size()),
                              milliseconds_left());
  if (n < 0 && errno != EINTR) throw Error("waiting: {}", system_message(errno));
  auto const batch = std::span{events}.first(static_cast<std::size_t>(std::max(n, 0)));
  std::array<std::shared_ptr<Ready>, most_events> meant;
  for (std::size_t i = 0; i < batch.size(); ++i)
    if (auto const found = watched_.find(batch[i].data.fd); found != watched_.end())
      meant[i] = found->second;
  for (std::size_t i = 0; i < batch.size(); ++i) {
    // An earlier one of this batch may have forgotten it, and another file may have its number now.
    auto const found = watched_.find(batch[i].data.fd);
    if (found != watched_.end() && found->second == meant[i]) (*meant[i])(batch[i].events);
  }
  run_timers();
}

void Loop::run_timers() {
  auto const now = Clock::now();
  while (!timers_.empty() && timers_.begin()->first <= now) {
    auto due = std::move(timers_.begin()->second);
    timers_.erase(timers_.begin());
    due();
  }
}

}  // namespace earl::exec
