// SPDX-License-Identifier: BSD-3-Clause
/// When debuggers are asked to judge a job, and with what.
#include "exec/launcher/job/deadlock_monitor.hpp"

#include <array>
#include <catch2/catch.hpp>

#include "generic/seams/standstill_judge.hpp"
#include "tests/exec/launcher/job/job_parts.hpp"

using namespace earl;
using namespace earl::exec;

namespace {

struct Judged {
  int times = 0;
  std::vector<WaitingProcess> processes;
};

class Judge final : public JobInterceptor, public StandstillJudge {
 public:
  explicit Judge(Judged& judged) : judged_(judged) {}
  std::optional<StandstillVerdict> judge_quiescence(
      std::span<WaitingProcess const> processes) override {
    ++judged_.times;
    judged_.processes.assign(processes.begin(), processes.end());
    return StandstillVerdict{.exit_code = 86, .sentence = "deadlock"};
  }

 private:
  Judged& judged_;
};

class Barrier final : public Service {
 public:
  void died(Rank, int) override {}
  std::optional<WaitReason> wait_reason_of(Rank rank) const override {
    if (rank != Rank{0}) return std::nullopt;
    return WaitReason{.what = "barrier", .from = {Rank{1}}};
  }
};

struct DeadlockMonitorFixture final : JobParts, DeadlockMonitor::Client {
  bool ending() const override { return code.has_value(); }
  bool accepts_guests() const override { return guests; }
  void read_output() override { ++taken_in; }
  std::vector<Rank> being_served() const override { return served; }
  void report(std::string_view sentence) override { reports.emplace_back(sentence); }
  void end(int exit_code) override { code = exit_code; }

  DeadlockMonitorFixture() {
    interceptors.add(std::make_unique<Judge>(judged));
    add_running();
    add_running();
  }
  /// Every process answers the questions of a round with the same progress.
  void round(Report const& report) {
    channel.sent.clear();
    monitor.shared_process_stuck();
    for (auto const& inquiry : std::vector(channel.sent)) {
      auto answer = report;
      answer.question = inquiry.ticket;
      monitor.reported(inquiry.rank, answer);
    }
  }

  Barrier barrier;
  std::array<Service*, 1> services{&barrier};
  Judged judged;
  bool guests = false;
  int taken_in = 0;
  std::vector<Rank> served;
  std::vector<std::string> reports;
  std::optional<int> code;
  DeadlockMonitor monitor{{loop, channels, children, roster, interceptors, services, true}, *this};
};

Report waiting() { return {.state = Report::State::waiting, .progress = 5}; }

}  // namespace

TEST_CASE("a job is judged when all have reported twice that they wait") {
  DeadlockMonitorFixture job;
  job.round(waiting());
  CHECK(job.channel.sent.size() == 2);
  CHECK(job.judged.times == 0);
  job.round(waiting());
  CHECK(job.judged.times == 1);
  CHECK(job.taken_in == 1);
  CHECK(job.reports == std::vector<std::string>{"deadlock"});
  CHECK(job.code == 86);
  REQUIRE(job.judged.processes.size() == 2);
  CHECK(job.judged.processes[0].program == "node");
}

TEST_CASE("a process that EXEC has sent something, or that has ended, begins a new count") {
  DeadlockMonitorFixture job;
  job.round(waiting());
  SECTION("notified while the round is under way") {
    job.channel.sent.clear();
    job.monitor.shared_process_stuck();
    job.monitor.notified(Rank{0});
    job.monitor.reported(Rank{0}, waiting());
    job.monitor.reported(Rank{1}, waiting());
    CHECK(job.judged.times == 0);
    job.round(waiting());
  }
  SECTION("ended") {
    job.monitor.ended();
    job.round(waiting());
    CHECK(job.judged.times == 0);
    job.round(waiting());
  }
  SECTION("EXEC works on a request") {
    job.served = {Rank{1}};
    job.round(waiting());
    CHECK(job.judged.times == 0);
    job.served.clear();
    job.round(waiting());
  }
  CHECK(job.judged.times == 1);
}

TEST_CASE("processes that wait for EXEC wait for those that it waits for") {
  DeadlockMonitorFixture job;
  auto asks = waiting();
  asks.needs = {{.kind = OpKind::exec}};
  job.round(asks);
  job.round(asks);
  REQUIRE(job.judged.times == 1);
  auto const& need = job.judged.processes[0].report.needs.at(0);
  CHECK(need.what == "barrier");
  CHECK(need.from == std::vector{Rank{1}});
}

TEST_CASE("nothing is asked while guests may come, nor by a job that ends") {
  DeadlockMonitorFixture job;
  job.guests = true;
  job.round(waiting());
  CHECK(job.channel.sent.empty());
  job.guests = false;
  job.code = 1;
  job.round(waiting());
  CHECK(job.channel.sent.empty());
}
