// SPDX-License-Identifier: BSD-3-Clause
/// Orders that make no sense to an agent: it reports the reason to EXEC and ends, with all that it
/// has started.
#include "exec/launcher/agent/agent.hpp"

#include <sys/wait.h>
#include <unistd.h>

#include <catch2/catch.hpp>
#include <functional>

#include "exec/launcher/hosts/host_messages.hpp"
#include "generic/system/sockets.hpp"

using namespace earl;
using namespace earl::exec;
using Catch::Matchers::Contains;

namespace {

constexpr unsigned limit = 60;  // seconds

struct Connected {
  AuthenticatedSocket exec;
  AuthenticatedSocket agent;
};

Connected connected() {
  SessionKey there{}, back{};
  there.fill(std::byte{1});
  back.fill(std::byte{2});
  auto const listener = listen_at("127.0.0.1");
  auto calling = connect_to(own_end(listener.get()));
  Descriptor called;
  while (!called) called = accept_from(listener.get());
  return {.exec = {.socket = std::move(called), .outgoing = there, .incoming = back},
          .agent = {.socket = std::move(calling), .outgoing = back, .incoming = there}};
}

/// EXEC's end, and the agent in a process of its own.
class OrderedAgent final : private LineListener {
 public:
  OrderedAgent() : OrderedAgent(connected()) {}
  ~OrderedAgent() {
    line.close();
    ::waitpid(process_, nullptr, 0);
  }
  OrderedAgent(OrderedAgent const&) = delete;
  OrderedAgent& operator=(OrderedAgent const&) = delete;

  /// The sentence by which the agent refuses to go on; empty: it ended without one.
  std::string refusal() {
    while (!over_) loop_.turn();
    return refusal_;
  }

 private:
  explicit OrderedAgent(Connected ends)
      : process_(start(ends)), line(loop_, std::move(ends.exec), *this) {}

  static pid_t start(Connected& ends) {
    auto const child = ::fork();
    REQUIRE(child >= 0);
    if (child != 0) {
      ends.agent.socket.close();
      return child;
    }
    ends.exec.socket.close();
    ::alarm(limit);
    Agent agent(std::move(ends.agent));
    agent.run();
    ::_exit(0);
  }

  void on_host_message(control::Message message) override {
    if (message.type == control::Type::refused)
      refusal_ = control::read<control::LaunchRefusal>(message.body.bytes()).sentence;
  }
  void on_line_ended(std::string_view) override { over_ = true; }

  Loop loop_;
  bool over_ = false;
  std::string refusal_;
  pid_t process_;

 public:
  HostLine line;
};

control::HostConfiguration configuration() {
  control::HostConfiguration made;
  made.capacity = 4;
  made.back_end = "tcp";
  return made;
}

std::string refusal_of(std::function<void(HostLine&)> const& orders) {
  OrderedAgent agent;
  orders(agent.line);
  return agent.refusal();
}

using control::Type;

}  // namespace

TEST_CASE("an agent takes one host configuration, before any order") {
  CHECK(refusal_of([](HostLine& line) { line.send(Type::launch, control::LaunchRequest{}); }) ==
        "an order before the host configuration");
  CHECK(refusal_of([](HostLine& line) {
          line.send(Type::host, configuration());
          line.send(Type::host, configuration());
        }) == "a second host configuration");
  CHECK_THAT(refusal_of([](HostLine& line) {
               auto changed = configuration();
               ++changed.packets;
               line.send(Type::host, changed);
             }),
             Contains("EXEC is of another version of Earl"));
  CHECK_THAT(refusal_of([](HostLine& line) {
               auto changed = configuration();
               changed.back_end = "nonsense";
               line.send(Type::host, changed);
             }),
             Contains("which this host's Earl does not have"));
}

TEST_CASE("an agent starts and releases only what the id table has") {
  auto const refused = [](std::function<void(HostLine&)> const& orders) {
    return refusal_of([&](HostLine& line) {
      line.send(Type::host, configuration());
      orders(line);
    });
  };
  CHECK(refused([](HostLine& line) { line.send(Type::launch, control::LaunchRequest{}); }) ==
        "rank 0 cannot be started");
  CHECK(refused([](HostLine& line) {
          line.send(Type::program, control::ProgramDescription{});
          control::LaunchRequest order;
          order.rank = Rank{3};
          line.send(Type::launch, order);
        }) == "rank 3 cannot be started");
  CHECK(refused([](HostLine& line) {
          line.send(Type::release, control::RankValue{.rank = Rank{0}});
        }) == "cannot release rank 0: it is still running");
  CHECK(refused([](HostLine& line) {
          line.send(Type::rows, control::TableUpdate{.at = 1, .bytes = "x"});
        }) == "1 bytes at 1 are no piece of the id table");
}

TEST_CASE("an agent takes no order of a kind that only agents or processes send, nor half of one") {
  CHECK(refusal_of([](HostLine& line) {
          line.send(Type::host, configuration());
          line.send(Type::hello);
        }) == "an unknown order to an agent");
  CHECK_FALSE(refusal_of([](HostLine& line) {
                line.send(Type::host, configuration());
                line.send(Type::launch);
              }).empty());
}
