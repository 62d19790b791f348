// SPDX-License-Identifier: BSD-3-Clause
#include "exec/launcher/children/sleep_inspector.hpp"

#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

#include <catch2/catch.hpp>
#include <chrono>
#include <csignal>
#include <thread>

using namespace earl::exec;

namespace {

/// A process that only does `what`, ended with its scope.
class Idler {
 public:
  template <class What>
  explicit Idler(What&& what) : pid_(::fork()) {
    if (pid_ != 0) return;
    what();
    ::_exit(0);
  }
  ~Idler() {
    ::kill(pid_, SIGKILL);
    ::waitpid(pid_, nullptr, 0);
  }
  Idler(Idler const&) = delete;
  Idler& operator=(Idler const&) = delete;

  /// Looks until it has come to rest; false: it did not.
  bool is_quiescent() const {
    SleepInspector standstill;
    for (int look = 0; look < 100; ++look) {
      if (standstill.holds(pid_)) return true;
      std::this_thread::sleep_for(std::chrono::milliseconds{5});
    }
    return false;
  }

 private:
  pid_t pid_;
};

}  // namespace

TEST_CASE("a process that waits without a limit stands still") {
  CHECK(Idler([] { ::pause(); }).is_quiescent());
  CHECK(Idler([] { ::poll(nullptr, 0, -1); }).is_quiescent());
  CHECK(Idler([] { ::ppoll(nullptr, 0, nullptr, nullptr); }).is_quiescent());
}

TEST_CASE("a process that will go on by itself, or computes, moves") {
  CHECK_FALSE(Idler([] { ::sleep(1000); }).is_quiescent());
  CHECK_FALSE(Idler([] { ::poll(nullptr, 0, 1'000'000); }).is_quiescent());
  CHECK_FALSE(Idler([] {
                while (::getppid() != 0) {
                }
              }).is_quiescent());
}
