// SPDX-License-Identifier: BSD-3-Clause
/// The consequences of the end of a process.
#include "exec/launcher/job/process_ends.hpp"

#include <catch2/catch.hpp>
#include <csignal>

#include "tests/exec/launcher/job/launch_parts.hpp"

using namespace earl;
using namespace earl::exec;

namespace {

struct ProcessEndsFixture final : LaunchParts,
                                  RequestGate::Client,
                                  DeadlockMonitor::Client,
                                  FailurePolicy::Client {
  bool deliver_output() override { return false; }
  bool awaits_room(RequestGate::Request const&) override { return false; }
  void announce(RequestGate::Death const& death) override {
    announced.push_back(death.wait_status);
    children.at(death.rank).death = Announcement::made;
  }
  void serve(RequestGate::Request const&) override {}
  void debugger_failed(Error const&) override {}
  bool ending() const override { return shutdown.begun(); }
  bool accepts_guests() const override { return false; }
  void read_output() override {}
  std::vector<Rank> being_served() const override { return {}; }
  void report(std::string_view) override {}
  void end(int) override {}
  Serving serving() const override { return Serving::job; }
  void end_partition_of(Child const&) override {}

  /// A process whose channel has no other end.
  Child& add() {
    auto& child = add_running();
    child.rank_channel = nullptr;
    return child;
  }

  std::vector<int> announced;
  std::optional<SharedProcessLauncher> shared;
  DeadlockMonitor monitor{{loop, channels, children, roster, interceptors, {}, false}, *this};
  RequestGate gate{interceptors, *this};
  FailurePolicy failures{{output, children, shutdown, interceptors}, *this};
  ProcessEnds ends{{plan, loop, output, channels, children, roster, back_end, group, shared, remote,
                    monitor, shutdown, failures, gate}};
};

}  // namespace

TEST_CASE("an end is announced, and the back end and the id table know it") {
  ProcessEndsFixture job;
  auto& child = job.add();
  job.ends.ended(child, 3 << 8);
  CHECK_FALSE(child.alive());
  CHECK(job.announced == std::vector{3 << 8});
  CHECK(job.notes.ended == std::vector{child.rank});
  CHECK(job.roster.state(child.rank) == RankState::ended);
  CHECK_FALSE(job.shutdown.begun());
}

TEST_CASE("a process that leaves is announced once, before its end") {
  ProcessEndsFixture job;
  auto& child = job.add();
  job.ends.left(child, 3);
  CHECK(child.left());
  CHECK(child.alive());
  CHECK(job.announced == std::vector{3 << 8});
  job.ends.ended(child, 3 << 8);
  CHECK(job.announced.size() == 1);
}

TEST_CASE("a process that another one has killed is no failure, any other kill ends the job") {
  ProcessEndsFixture job;
  auto& killed = job.add();
  killed.asked_signals = std::uint64_t{1} << SIGKILL;
  job.ends.ended(killed, SIGKILL);
  CHECK(job.notes.killed == std::vector{killed.rank});
  CHECK_FALSE(job.shutdown.begun());
  job.ends.ended(job.add(), SIGKILL);
  CHECK(job.shutdown.exit_code() == 128 + SIGKILL);
}

TEST_CASE("a child process that has ended is found by the signal that it sends") {
  ProcessEndsFixture job;
  auto& child = job.add();
  child.pid = ::fork();
  if (child.pid == 0) ::_exit(4);
  job.children.add_pid(child);
  siginfo_t info{};
  ::waitid(P_PID, static_cast<id_t>(child.pid), &info, WEXITED | WNOWAIT);
  job.ends.signalled(child.pid);
  CHECK(job.announced == std::vector{4 << 8});
  job.ends.reap(child);
}
