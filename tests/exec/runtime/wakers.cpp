// SPDX-License-Identifier: BSD-3-Clause
#include <sys/time.h>

#include <catch2/catch.hpp>
#include <csignal>
#include <future>
#include <thread>

#include "exec/runtime/stack.hpp"

using earl::boot::Wakers;

namespace {

void nothing(int) {}

/// A handler for as long as it lives.
class Handling {
 public:
  Handling(int signal, void (*handler)(int))
      : signal_(signal), before_(std::signal(signal, handler)) {}
  ~Handling() { std::signal(signal_, before_); }
  Handling(Handling const&) = delete;
  Handling& operator=(Handling const&) = delete;

 private:
  int signal_;
  void (*before_)(int);
};

}  // namespace

TEST_CASE("a program's handler, timer or thread may wake it") {
  Wakers wakers;
  wakers.pass_over_present();
  CHECK_FALSE(wakers.any());
  {
    const Handling handler(SIGUSR1, nothing);
    CHECK(wakers.any());
  }
  {
    const Handling ignoring(SIGUSR1, SIG_IGN);
    CHECK_FALSE(wakers.any());
  }
  itimerval const later{.it_interval = {}, .it_value = {.tv_sec = 1000, .tv_usec = 0}};
  ::setitimer(ITIMER_REAL, &later, nullptr);
  CHECK(wakers.any());
  itimerval const never{};
  ::setitimer(ITIMER_REAL, &never, nullptr);
  CHECK_FALSE(wakers.any());
  std::promise<void> end;
  std::thread other([ended = end.get_future()]() mutable { ended.wait(); });
  CHECK(wakers.any());
  end.set_value();
  other.join();
}

TEST_CASE("threads of the back end wake no program, threads of the program do") {
  const Handling back_ends(SIGUSR1, nothing);
  std::promise<void> end;
  std::thread threads_of_back_end([ended = end.get_future()]() mutable { ended.wait(); });
  Wakers wakers;
  CHECK(wakers.any());
  wakers.pass_over_present();
  CHECK_FALSE(wakers.any());
  const Handling programs(SIGUSR1, [](int) {});
  CHECK(wakers.any());
  end.set_value();
  threads_of_back_end.join();
}
