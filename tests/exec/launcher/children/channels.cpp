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

/// EXEC's end of the channel of a process, and the end of that process.
struct OwnChannel {
  void say(control::Type type, Bytes body) const {
    for (auto const& packet : control::packets_of(type, 1, 0, body))
      REQUIRE(send_packet(theirs.get(), packet.bytes(), {}, 0) == 0);
  }
  void say_hello() const {
    say(control::Type::hello,
        control::body_of(control::Hello{.unix_pid = 7, .front_end = "nx"}).bytes());
  }

  Loop loop{};
  Log log{};
  Channels channels{loop, log};
  ChildTable table{};
  Child& child = table.add(Rank{0});
  Descriptor theirs = channels.open(child, {}, {});
};

}  // namespace

TEST_CASE("a hello that has come is taken in, and nothing behind it") {
  OwnChannel line;
  line.channels.take_hello(line.child);
  CHECK(line.log.lines.empty());
  line.say_hello();
  line.say(control::Type::request, {});
  line.channels.take_hello(line.child);
  line.channels.take_hello(line.child);
  CHECK(line.log.lines == std::vector<std::string>{"hello nx"});
  line.channels.drain(line.child);
  CHECK(line.log.lines == std::vector<std::string>{"hello nx", "request"});
}

TEST_CASE("the end of a process that has said nothing is left to the event loop") {
  OwnChannel line;
  line.theirs.close();
  line.channels.take_hello(line.child);
  CHECK(line.log.lines.empty());
  CHECK(line.child.channel);
}

TEST_CASE("a process without a channel of its own has no hello to take in") {
  OwnChannel line;
  line.channels.take_hello(line.table.add(Rank{1}));
  CHECK(line.log.lines.empty());
}
