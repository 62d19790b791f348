// SPDX-License-Identifier: BSD-3-Clause
/// Manual, 2.6: calls of several threads. The core has one caller: they take turns.
#include "frontends/bip/threads.hpp"

#include <sys/stat.h>

#include <chrono>
#include <cstdlib>
#include <thread>
#include <utility>

#include "frontends/bip/call.hpp"

namespace earl::bip {

namespace {

/// Rounds in which a waiting thread only yields the CPU.
constexpr unsigned eager_rounds = 200;
constexpr auto nap = std::chrono::microseconds{50};

/// The process ends while threads of its may be in calls: none has a turn any more.
void take_last_turn() {
  if (auto* const process = boot::process()) state_of(*process).begin_turn();
}

}  // namespace

unsigned threads_now() {
  struct stat facts {};
  // The folder has two links and one for each thread.
  return ::stat("/proc/self/task", &facts) == 0 ? static_cast<unsigned>(facts.st_nlink) - 2 : 1;
}

void State::begin_turn() {
  turn_.lock();
  if (!std::exchange(end_watched_, true)) std::atexit(take_last_turn);
}

bool State::several() {
  if (__libc_single_threaded) [[likely]]
    return false;
  if (!several_) several_ = threads_now() > threads_of_back_end;
  return several_;
}

void State::let_others(unsigned round) {
  turn_.unlock();
  if (round < eager_rounds)
    std::this_thread::yield();
  else
    std::this_thread::sleep_for(nap);
  turn_.lock();
}

}  // namespace earl::bip
