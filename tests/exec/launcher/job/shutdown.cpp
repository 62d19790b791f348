// SPDX-License-Identifier: BSD-3-Clause
/// Signals that end a job.
#include "exec/launcher/job/shutdown.hpp"

#include <catch2/catch.hpp>
#include <csignal>
#include <vector>

using namespace earl;
using namespace earl::exec;

namespace {

struct ShutdownFixture final : Shutdown::Client {
  void signal_all(int signal, bool by_terminal) override {
    sent.push_back(by_terminal ? -signal : signal);
  }
  bool has_members() const override { return members; }

  Loop loop;
  Shutdown shutdown{loop, *this};
  bool members = true;
  std::vector<int> sent;
};

}  // namespace

TEST_CASE("a shutdown begins once, and its exit code stays") {
  ShutdownFixture job;
  CHECK_FALSE(job.shutdown.begun());
  job.shutdown.begin(3, SIGTERM);
  job.shutdown.begin(4, SIGKILL);
  CHECK(job.shutdown.begun());
  CHECK(job.shutdown.exit_code() == 3);
  CHECK(job.sent == std::vector{SIGTERM});
}

TEST_CASE("processes that do not end get a harder signal") {
  ShutdownFixture job;
  job.shutdown.begin(3, SIGTERM);
  while (job.sent.size() < 2) job.loop.turn();
  CHECK(job.sent.back() == SIGKILL);
}

TEST_CASE("the user's signal is passed on, and the second one kills") {
  ShutdownFixture job;
  job.shutdown.interrupted(SIGINT, true);
  CHECK(job.sent == std::vector{-SIGINT});
  CHECK(job.shutdown.exit_code() == 128 + SIGINT);
  CHECK_FALSE(job.shutdown.hurried());
  job.shutdown.interrupted(SIGINT, true);
  CHECK(job.sent == std::vector{-SIGINT, SIGKILL});
  CHECK(job.shutdown.hurried());
}

TEST_CASE("a job that has ended by itself has no exit code of the shutdown's") {
  ShutdownFixture job;
  job.shutdown.finish();
  CHECK(job.shutdown.begun());
  CHECK(job.sent.empty());
  CHECK_FALSE(job.shutdown.exit_code());
  job.shutdown.interrupted(SIGTERM, false);
  CHECK(job.shutdown.hurried());
}
