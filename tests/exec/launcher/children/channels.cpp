// SPDX-License-Identifier: BSD-3-Clause
/// EXEC's ends of control channels: what it takes in before its event loop comes to it.
#include "exec/launcher/children/channels.hpp"

#include <catch2/catch.hpp>
#include <string>
#include <vector>

#include "exec/launcher/children/child_table.hpp"
#include "generic/system/unix_socket.hpp"

using namespace earl;
using namespace earl::exec;

namespace {

class Log final : public ChannelListener {
 public:
  void on_hello(Child& child, control::Hello const& hello) override {
    child.registered_pid = hello.unix_pid;
    lines.push_back("hello " + hello.front_end);
  }
  void on_request(Child&, control::Message) override { lines.emplace_back("request"); }
  void on_report(Child&, Report) override { lines.emplace_back("report"); }
  void on_sent(Child&) override {}
  void on_protocol_error(Child&, std::string_view why) override { lines.emplace_back(why); }
  void on_leaving(Child&, int) override { lines.emplace_back("leaving"); }
  void on_goodbye(Child&) override { lines.emplace_back("goodbye"); }
  void on_disconnected(Child&) override { lines.emplace_back("end"); }

  std::vector<std::string> lines{};
};

void say(Descriptor const& end, control::Type type, Bytes body) {
  for (auto const& packet : control::packets_of(type, 1, 0, body))
    REQUIRE(send_packet(end.get(), packet.bytes(), {}, 0) == 0);
}

void say_hello(Descriptor const& end) {
  auto const body = control::body_of(control::Hello{.unix_pid = 7, .front_end = "nx"});
  say(end, control::Type::hello, body.bytes());
}

}  // namespace

TEST_CASE("a hello that has come is taken in, and nothing behind it") {
  Loop loop;
  Log log;
  Channels channels(loop, log);
  ChildTable table;
  auto& child = table.add(Rank{0});
  auto const theirs = channels.open(child, {}, {});
  channels.take_hello(child);
  CHECK(log.lines.empty());
  say_hello(theirs);
  say(theirs, control::Type::request, {});
  channels.take_hello(child);
  channels.take_hello(child);
  CHECK(log.lines == std::vector<std::string>{"hello nx"});
  channels.drain(child);
  CHECK(log.lines == std::vector<std::string>{"hello nx", "request"});
}

TEST_CASE("the end of a process that has said nothing is left to the event loop") {
  Loop loop;
  Log log;
  Channels channels(loop, log);
  ChildTable table;
  auto& child = table.add(Rank{0});
  channels.open(child, {}, {}).close();
  channels.take_hello(child);
  CHECK(log.lines.empty());
  CHECK(child.channel);
}

TEST_CASE("a process without a channel of its own has no hello to take in") {
  Loop loop;
  Log log;
  Channels channels(loop, log);
  ChildTable table;
  channels.take_hello(table.add(Rank{0}));
  CHECK(log.lines.empty());
}
