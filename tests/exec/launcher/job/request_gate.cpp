// SPDX-License-Identifier: BSD-3-Clause
/// The order of requests and deaths.
#include "exec/launcher/job/request_gate.hpp"

#include <catch2/catch.hpp>
#include <set>
#include <string>
#include <vector>

using namespace earl;
using namespace earl::exec;

namespace {

/// Lets nothing of these ranks pass.
struct Blocked {
  std::set<Rank> ranks;
  bool gives_up = false;
};

class CheckpointHalf final : public JobInterceptor {
 public:
  explicit CheckpointHalf(Blocked& blocked) : blocked_(blocked) {}
  bool may_serve(Rank from, std::uint32_t) override { return !blocked_.ranks.contains(from); }
  bool may_announce_death(Rank rank) override { return !blocked_.ranks.contains(rank); }
  bool stop_waiting_for(std::span<Rank const>) override {
    if (blocked_.gives_up) blocked_.ranks.clear();
    return std::exchange(blocked_.gives_up, false);
  }

 private:
  Blocked& blocked_;
};

struct RequestGateFixture final : RequestGate::Client {
  bool deliver_output() override {
    if (output == 0) return false;
    --output;
    events.emplace_back("output");
    return true;
  }
  bool awaits_room(RequestGate::Request const& request) override { return request.from == no_room; }
  void announce(RequestGate::Death const& death) override {
    events.push_back(fmt::format("death {}", number(death.rank)));
  }
  void serve(RequestGate::Request const& request) override {
    events.push_back(fmt::format("request {}", number(request.from)));
    if (fails) throw Error("the disk is full");
    gate.run();  // a request that is served may bring the next
  }
  void debugger_failed(Error const& error) override { events.emplace_back(error.what()); }

  RequestGateFixture() { interceptors.add(std::make_unique<CheckpointHalf>(blocked)); }
  void ask(int rank) { gate.add(RequestGate::Request{.from = Rank{rank}}); }
  void die(int rank) { gate.add(RequestGate::Death{.rank = Rank{rank}}); }

  Blocked blocked;
  JobInterceptors interceptors;
  RequestGate gate{interceptors, *this};
  int output = 0;
  bool fails = false;
  Rank no_room = no_rank;
  std::vector<std::string> events;
};

using Events = std::vector<std::string>;

}  // namespace

TEST_CASE("output comes before deaths, and deaths before requests, each oldest first") {
  RequestGateFixture job;
  job.ask(1);
  job.ask(0);
  job.die(3);
  job.output = 1;
  job.gate.run();
  CHECK(job.events == Events{"output", "death 3", "request 1", "request 0"});
}

TEST_CASE("a request waits while a debugger or the room forbids it, and others pass") {
  RequestGateFixture job;
  job.blocked.ranks = {Rank{1}};
  job.no_room = Rank{2};
  job.ask(1);
  job.ask(2);
  job.ask(3);
  job.gate.run();
  CHECK(job.events == Events{"request 3"});
  CHECK(job.gate.has_request_of(Rank{1}));
  CHECK_FALSE(job.gate.has_request_of(Rank{3}));
  job.blocked.ranks.clear();
  job.no_room = no_rank;
  job.gate.run();
  CHECK(job.events == Events{"request 3", "request 1", "request 2"});
}

TEST_CASE("a debugger that gives up the deaths that it waits for is asked again") {
  RequestGateFixture job;
  job.blocked = {.ranks = {Rank{1}}, .gives_up = true};
  job.ask(1);
  job.gate.run();
  CHECK(job.events.empty());
  job.die(1);
  job.gate.run();
  CHECK(job.events == Events{"death 1", "request 1"});
}

TEST_CASE("a debugger that fails is reported, and the gate can run again") {
  RequestGateFixture job;
  job.fails = true;
  job.ask(1);
  job.gate.run();
  CHECK(job.events == Events{"request 1", "the disk is full"});
  job.fails = false;
  job.ask(2);
  job.gate.run();
  CHECK(job.events.back() == "request 2");
}
