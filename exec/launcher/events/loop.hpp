// SPDX-License-Identifier: BSD-3-Clause
/// EXEC's event loop: one thread, many descriptors, a few timers.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <unordered_map>

#include "generic/base/values.hpp"
#include "generic/system/descriptor.hpp"

namespace earl::exec {

class Loop {
 public:
  using Ready = std::function<void(std::uint32_t events)>;
  using Due = std::function<void()>;

  /// Throws Error when the system gives no epoll descriptor.
  Loop();

  /// Calls `ready` whenever `fd` has one of `events` (EPOLLIN...). The descriptor stays the
  /// caller's, who must remove() it before closing it. Throws Error when `fd` cannot be waited on.
  void watch(int fd, std::uint32_t events, Ready ready);
  /// Changes the events that are waited for; 0: nothing but errors.
  void change(int fd, std::uint32_t events);
  void remove(int fd);

  /// Calls `due` once, at `when` or soon after.
  void at(Clock::time_point when, Due due);
  void after(Clock::duration wait, Due due) { at(Clock::now() + wait, std::move(due)); }

  /// All that is due later becomes due so much later: for time in which no process could act.
  void postpone(Clock::duration by);

  /// Waits for something to happen and deals with it.
  void turn();

 private:
  int milliseconds_left() const;
  void run_timers();

  Descriptor epoll_;
  // Shared, because a callback may forget itself while it runs.
  std::unordered_map<int, std::shared_ptr<Ready>> watched_;
  std::multimap<Clock::time_point, Due> timers_;
};

}  // namespace earl::exec
