// SPDX-License-Identifier: BSD-3-Clause
/// Switches that are processes, here all in one: packets over real connections, dropped packets,
/// and rejected peers.
#include <fcntl.h>
#include <poll.h>

#include <atomic>
#include <catch2/catch.hpp>
#include <thread>

#include "backends/myrinet/cables/link.hpp"
#include "backends/myrinet/cables/running_switch.hpp"
#include "backends/myrinet/counters.hpp"
#include "backends/net/port.hpp"
#include "generic/base/error.hpp"
#include "tests/backends/packet_log.hpp"
#include "tests/sanitized.hpp"

using namespace earl;
using namespace earl::myrinet;
using namespace earl::myrinet::cables;
using namespace earl::test;
using Catch::Matchers::Contains;

namespace {

constexpr auto limit = std::chrono::seconds{60};

constexpr auto chain =
    "switch a 4\nswitch b 4\nswitch c 4\nswitch d 4\ncable a:0 b:1\ncable b:0 c:1\ncable c:0 d:1\n"
    "host x a:3\nhost y d:3\nhost z b:2\n";
constexpr auto one_switch = "switch a 4\nhost x a:0\nhost y a:1\nhost z a:2\n";

/// A network whose switches and processes are all in this process.
class Wired {
 public:
  explicit Wired(char const* network) : Wired(parse_topology(network, "net")) {}
  explicit Wired(Topology const& topology)
      : memory_(static_cast<std::uint32_t>(topology.hosts.size()), topology),
        board_(memory_.capacity() + memory_.head().switches,
               tcp::PeerCredentials{.secret = random_secret()}),
        ports_(memory_.capacity()),
        received_(memory_.capacity()) {
    for (std::uint32_t number = 0; number < memory_.head().switches; ++number)
      switches_.push_back(std::make_unique<RunningSwitch>(
          memory_, board_, listener(node_of({End::a_switch, number, 0}, memory_.capacity())),
          number));
  }

  Descriptor listener(Rank node) {
    auto made = listen_at("127.0.0.1");
    board_.set_address(node, to_text(own_end(made.get())));
    return made;
  }
  std::unique_ptr<CableLink> link(int rank, FaultInjection const& fault = {}) {
    LinkResources resources{.memory = std::make_unique<Memory>(copy_of(memory_.descriptor())),
                            .board = std::make_unique<tcp::Board>(copy_of(board_.descriptor())),
                            .bell = Bell(),
                            .listener = listener(Rank{rank})};
    return std::make_unique<CableLink>(std::move(resources), Rank{rank}, fault);
  }
  net::LinkPort& join(int rank, net::OnLoss on_loss, FaultInjection const& fault = {}) {
    auto& port = ports_[static_cast<std::size_t>(rank)];
    port = std::make_unique<net::LinkPort>(link(rank, fault), Rank{rank}, WaitPolicy{}, on_loss);
    return *port;
  }
  bool send(int from, int to, int tag, std::size_t size = 0) {
    const std::vector<std::byte> payload(size);
    return ports_[static_cast<std::size_t>(from)]->put(Rank{to}, eager(from, tag), Bytes{payload});
  }
  /// However long it takes until there is a connection.
  void must_send(int from, int to, int tag, std::size_t size = 0) {
    until([&] { return send(from, to, tag, size); });
  }
  /// All make progress until `done`.
  template <class Done>
  void until(Done const& done) {
    for (auto const end = Clock::now() + limit; !done();) {
      REQUIRE(Clock::now() < end);
      turn();
    }
  }
  void turn() {
    for (auto const& box : switches_) box->turn();
    for (std::size_t i = 0; i < ports_.size(); ++i)
      if (ports_[i]) {
        ports_[i]->poll(received_[i]);
        ports_[i]->wait(Deadline{});
      }
  }
  Words const& received(int rank) const { return received_[static_cast<std::size_t>(rank)].says; }
  Memory& memory() { return memory_; }
  tcp::Board& board() { return board_; }

 private:
  static Descriptor copy_of(int fd) { return Descriptor{::fcntl(fd, F_DUPFD_CLOEXEC, 0)}; }

  Memory memory_;
  tcp::Board board_;
  std::vector<std::unique_ptr<RunningSwitch>> switches_;
  std::vector<std::unique_ptr<net::LinkPort>> ports_;
  std::vector<PacketLog> received_;
};

class Frames final : public net::FrameSink {
 public:
  std::size_t count = 0;
  void frame(Rank, Bytes) override { ++count; }
  void down(Rank, std::string_view) override {}
  void on_control_ready() override {}
};

}  // namespace

TEST_CASE("cables: packets go over four switches, in order, and each port counts them") {
  Wired net{chain};
  // A test that is not scheduled for 50 ms loses blocked packets.
  for (int rank = 0; rank < 3; ++rank) net.join(rank, net::OnLoss::repair);
  for (int tag = 0; tag < 20; ++tag) {
    net.must_send(0, 1, tag, 100);
    net.must_send(1, 2, tag);
  }
  Words to_y, to_z;
  for (int tag = 0; tag < 20; ++tag) {
    to_y.push_back(fmt::format("0 {} 100", tag));
    to_z.push_back(fmt::format("1 {} 0", tag));
  }
  net.until([&] { return net.received(1).size() == 20 && net.received(2).size() == 20; });
  CHECK(net.received(1) == to_y);
  CHECK(net.received(2) == to_z);
  CHECK(net.memory().port(3, 3).packets >= 20);
  CHECK(net.memory().port(1, 0).packets >= 20);
  CHECK(net.memory().port(1, 2).packets >= 20);
}

TEST_CASE("cables: room goes round: far more passes than any of them holds") {
  Wired net{chain};
  for (int rank = 0; rank < 2; ++rank) net.join(rank, net::OnLoss::repair);
  constexpr int messages = testing::times(300, 100);
  int sent = 0;
  net.until([&] {
    while (sent < messages && net.send(0, 1, sent, 8000)) ++sent;
    return net.received(1).size() == messages;
  });
  CHECK(net.received(1).back() == fmt::format("0 {} 8000", messages - 1));
}

TEST_CASE("cables: a packet that a host does not take for 50 ms is dropped, and only that") {
  Wired net{one_switch};
  auto const sender = net.link(0);
  auto const deaf = net.link(1);
  auto const other = net.link(2);
  const std::vector<std::byte> frame(largest_frame);
  Frames received;
  std::size_t sent = 0;
  Frames late;
  net.until([&] {
    if (sent == 0 && sender->send(Rank{1}, Bytes{frame})) ++sent;
    sender->progress(received, 64);
    deaf->progress(late, 64);
    return late.count == 1;
  });
  auto& port = net.memory().port(0, 0);  // where the blocked ones came in
  auto& out = net.memory().port(0, 1);
  net.until([&] {
    while (sent < 200 && sender->send(Rank{1}, Bytes{frame})) ++sent;
    sender->progress(received, 64);
    return port.drops + out.drops > 0;
  });
  CHECK(sent > queue_bytes / (largest_frame + cache_line));
  CHECK(out.blocked >= 40'000'000);  // nanoseconds
  net.until([&] {
    sender->progress(received, 64);
    return sender->send(Rank{2}, Bytes{frame});
  });
  Frames others;
  net.until([&] {
    sender->progress(received, 64);
    other->progress(others, 64);
    return others.count == 1;
  });
  net.until([&] {
    deaf->progress(late, 64);
    return late.count > 10;
  });
}

TEST_CASE("cables: packets leave the switch for a process that is connected and makes no call") {
  Wired net{one_switch};
  auto const sender = net.link(0);
  auto const computing = net.link(1);
  std::atomic<bool> connected = false;
  std::thread process([&] {
    for (auto* const link : {sender.get(), computing.get()})
      link->connect_cable(Clock::now() + limit);
    connected = true;
  });
  net.until([&] { return connected.load(); });
  process.join();
  const std::vector<std::byte> frame(largest_frame);
  constexpr std::size_t packets = 3;
  std::size_t sent = 0;
  net.until([&] {
    if (sent < packets && sender->send(Rank{1}, Bytes{frame})) ++sent;
    return sent == packets;
  });
  net.until([&] { return net.memory().port(0, 1).packets == packets; });
  CHECK(net.memory().port(0, 0).drops == 0);
  Frames received;
  net.until([&] {
    computing->progress(received, 64);
    return received.count == packets;
  });
}

TEST_CASE("cables: a dropped packet is sent again") {
  Wired net{chain};
  net.join(0, net::OnLoss::repair, {.kind = FaultInjection::Kind::leak, .seed = 2, .percent = 20});
  net.join(1, net::OnLoss::repair, {.kind = FaultInjection::Kind::leak, .seed = 2, .percent = 20});
  constexpr int messages = testing::times(200, 60);
  int sent = 0;
  net.until([&] {
    while (sent < messages && net.send(0, 1, sent, 500)) ++sent;
    return net.received(1).size() == messages;
  });
  for (int tag = 0; tag < messages; ++tag)
    CHECK(net.received(1)[static_cast<std::size_t>(tag)] == fmt::format("0 {} 500", tag));
}

TEST_CASE("cables: failures are reported") {
  Wired net{one_switch};
  auto const strike = [&](FaultInjection::Kind kind) {
    net.join(0, net::OnLoss::end, {.kind = kind, .sender = Rank{0}, .packet = 0});
    net.join(1, net::OnLoss::end);
    net.join(2, net::OnLoss::end);
    net.must_send(0, 1, 1);
    if (kind == FaultInjection::Kind::lose) net.must_send(0, 1, 2);
  };
  auto const find = [&] { net.until([] { return false; }); };
  SECTION("a bit") {
    strike(FaultInjection::Kind::flip);
    CHECK_THROWS_WITH(find(), Contains("a packet of process 0 came damaged: its CRC"));
  }
  SECTION("a packet") {
    strike(FaultInjection::Kind::lose);
    CHECK_THROWS_WITH(find(), Contains("packet 0 of process 0 to process 1 is missing"));
  }
  SECTION("a route") {
    strike(FaultInjection::Kind::route);
    CHECK_THROWS_WITH(find(), Contains("a packet of process 0 for process 1 came to process 2: a "
                                       "route is wrong"));
  }
  SECTION("a cable") {
    CHECK_THROWS_WITH(strike(FaultInjection::Kind::cut),
                      "the cable of process 0 (switch a, port 0) is cut: nothing goes through");
  }
}

TEST_CASE(
    "cables: an unauthenticated peer at a switch is dropped and counted, and packets still pass") {
  Wired net{one_switch};
  net.join(0, net::OnLoss::end);
  net.join(1, net::OnLoss::end);
  auto const unauthenticated = connect_to(*socket_address_from(net.board().address(Rank{3})));
  pollfd look{.fd = unauthenticated.get(), .events = POLLOUT, .revents = 0};
  REQUIRE(::poll(&look, 1, 10'000) == 1);
  const std::string noise(200, 'x');
  REQUIRE(::send(unauthenticated.get(), noise.data(), noise.size(), MSG_NOSIGNAL) > 0);
  net.must_send(0, 1, 1);
  net.until(
      [&] { return net.received(1).size() == 1 && net.board().head().rejected_connections == 1; });
}

TEST_CASE("cables: bytes from a port without a cable, or without room for them, are reported") {
  Wired net{one_switch};
  net.join(0, net::OnLoss::end);
  const Rank at{3};
  Rank from{};
  std::size_t size = 0;
  char const* sentence = nullptr;
  SECTION("another port") {
    from = Rank{2};
    sentence = "a frame for port 1 came from node 2, which is not cabled there";
  }
  SECTION("too much") {
    from = Rank{1};
    size = 20'000;
    sentence = "20000 bytes came from node 1, and there was room for";
  }
  tcp::TcpLink liar{net.board().head().trust, from, net.listener(from), Bell()};
  liar.connect(at, net.board().address(at));
  const Word word{.kind = static_cast<std::uint32_t>(cables::Kind::piece), .port = 1};
  std::vector<std::byte> frame(sizeof word + size);
  std::memcpy(frame.data(), &word, sizeof word);
  CHECK_THROWS_WITH(net.until([&] {
    Frames sink;
    liar.progress(sink, 1);
    static_cast<void>(liar.send(at, Bytes{frame}));
    return false;
  }),
                    Contains(sentence));
}

TEST_CASE("cables: a process without a host in the network has no cable") {
  auto topology = parse_topology(one_switch, "net");
  topology.hosts[2].cabled_to = {};
  Wired net{topology};
  CHECK_THROWS_WITH(net.link(2), Contains("the network has no host for it"));
}
