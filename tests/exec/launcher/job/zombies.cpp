// SPDX-License-Identifier: BSD-3-Clause
/// Child processes that have ended.
#include "exec/launcher/job/zombies.hpp"

#include <unistd.h>

#include <catch2/catch.hpp>
#include <csignal>

using namespace earl;
using namespace earl::exec;

namespace {

/// A child process that has ended and has not been waited for.
pid_t ended_process() {
  auto const pid = ::fork();
  if (pid == 0) ::_exit(0);
  siginfo_t info{};
  ::waitid(P_PID, static_cast<id_t>(pid), &info, WEXITED | WNOWAIT);
  return pid;
}

bool exists(pid_t pid) { return ::kill(pid, 0) == 0; }

}  // namespace

TEST_CASE("a zombie stays until it is reaped") {
  ChildTable table;
  Zombies zombies(table);
  auto& child = table.add(Rank{0});
  child.pid = ended_process();
  table.add_pid(child);
  zombies.add(child);
  zombies.limit();
  CHECK(exists(child.pid));
  zombies.reap(child);
  CHECK_FALSE(exists(child.pid));
  CHECK(table.of_pid(child.pid) == nullptr);
}

TEST_CASE("the oldest zombie is reaped when there are too many") {
  ChildTable table;
  Zombies zombies(table);
  auto& oldest = table.add(Rank{0});
  oldest.pid = ended_process();
  table.add_pid(oldest);
  zombies.add(oldest);
  Child other;
  other.rank = Rank{1};  // has no record any more
  for (std::size_t n = 0; n < Zombies::most; ++n) zombies.add(other);
  zombies.limit();
  CHECK_FALSE(exists(oldest.pid));
}
