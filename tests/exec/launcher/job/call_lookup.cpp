// SPDX-License-Identifier: BSD-3-Clause
/// In which calls two processes are.
#include "exec/launcher/job/call_lookup.hpp"

#include <catch2/catch.hpp>

#include "tests/exec/launcher/job/job_parts.hpp"

using namespace earl;
using namespace earl::exec;

namespace {

struct CallLookupFixture final : JobParts {
  CallLookup calls{{loop, channels, children, interceptors}, context};

  CallLookupFixture() {
    add_running();
    add_running();
  }
  CallsAnswer answer() const {
    REQUIRE(context.answers.size() == 1);
    Reader from(context.answers.front().bytes());
    return from.get<CallsAnswer>();
  }
};

}  // namespace

TEST_CASE("a question is answered once both processes have reported their calls") {
  CallLookupFixture job;
  job.calls.look_up({.to = Rank{0}, .ticket = 7}, Rank{1});
  REQUIRE(job.channel.sent.size() == 2);
  auto const question = job.channel.sent[0].ticket;
  CHECK((question & control::asks_for_call) != 0);
  job.calls.reported(Rank{1}, {.question = question, .call = "gisum"});
  CHECK(job.context.answered.empty());
  job.calls.reported(Rank{0}, {.question = question, .call = "crecv"});
  CHECK(job.answer().own == "crecv");
  CHECK(job.answer().other == "gisum");
  job.calls.reported(Rank{0}, {.question = question, .call = "late"});
  CHECK(job.context.answered == std::vector{7U});
}

TEST_CASE("a process that computes does not report, and is waited for a moment") {
  CallLookupFixture job;
  job.calls.look_up({.to = Rank{0}}, Rank{1});
  job.calls.reported(Rank{0}, {.question = job.channel.sent.at(0).ticket, .call = "crecv"});
  CHECK(job.context.answered.empty());
  CHECK(job.calls.waiting() == std::vector{Rank{0}});
  while (job.context.answered.empty()) job.loop.turn();
  CHECK(job.answer().own == "crecv");
  CHECK(job.answer().other.empty());
  CHECK(job.calls.waiting().empty());
}

TEST_CASE("a process is asked once it has said hello") {
  CallLookupFixture job;
  auto& other = job.children.at(Rank{1});
  other.registered_pid = 0;
  job.calls.look_up({.to = Rank{0}}, Rank{1});
  REQUIRE(job.channel.sent.size() == 1);
  job.calls.reported(Rank{0}, {.question = job.channel.sent[0].ticket, .call = "gdsum"});
  CHECK(job.context.answered.empty());
  other.registered_pid = 1;
  job.calls.registered(other);
  REQUIRE(job.channel.sent.size() == 2);
  job.calls.reported(Rank{1}, {.question = job.channel.sent[1].ticket, .call = "gisum"});
  CHECK(job.answer().other == "gisum");
}

TEST_CASE("a process that has ended is not waited for") {
  CallLookupFixture job;
  job.children.set_ended(job.children.at(Rank{1}));
  job.calls.look_up({.to = Rank{0}}, Rank{1});
  REQUIRE(job.channel.sent.size() == 1);
  job.calls.reported(Rank{0}, {.question = job.channel.sent[0].ticket, .call = "crecv"});
  CHECK(job.answer().own == "crecv");
}
