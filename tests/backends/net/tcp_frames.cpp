// SPDX-License-Identifier: BSD-3-Clause
/// Data that a process of the job sends and that is no packet costs only its own connection.
#include <catch2/catch.hpp>

#include "backends/net/tcp/link.hpp"
#include "tests/backends/reuse_cases.hpp"

namespace earl {
extern Backend const tcp_back_end;
}

using namespace earl;
using namespace earl::test;

namespace {

/// A peer that knows the job's secret, and sends what it likes.
class Peer {
 public:
  Peer(ReusingJob& job, Secret const& secret, int rank)
      : link_({.secret = secret, .protection = Protection::authenticated}, Rank{rank},
              listen_at("127.0.0.1"), Bell()) {
    link_.connect(Rank{0}, job.exec().address(Rank{0}));
  }
  /// The receiver takes part in the handshake.
  void send(Member& to, Bytes frame) {
    until(to, to, [&] {
      net::DiscardingFrameSink sink;
      link_.progress(sink, 64);
      return link_.send(Rank{0}, frame);
    });
  }

 private:
  tcp::TcpLink link_;
};

}  // namespace

TEST_CASE("tcp: a frame that is no packet, or one of another process, is dropped") {
  auto const secret = random_secret();
  ReusingJob job{tcp_back_end, secret};
  auto master = job.begin(0);
  Peer peer(job, secret, 1);
  auto const another = eager(2, 5);
  auto const own = eager(1, 6);
  peer.send(master, bytes_of(own).first(sizeof own - 1));
  peer.send(master, Bytes{});
  peer.send(master, bytes_of(another));
  peer.send(master, bytes_of(own));
  until(master, master, [&] { return !master.received.empty(); });
  CHECK(master.received == Words{"1 6 0"});
}

TEST_CASE("tcp: a frame of a process that cannot be is dropped") {
  auto const secret = random_secret();
  ReusingJob job{tcp_back_end, secret};
  auto master = job.begin(0);
  Peer none(job, secret, -5);
  Peer peer(job, secret, 1);
  none.send(master, bytes_of(eager(-5, 5)));
  peer.send(master, bytes_of(eager(1, 6)));
  until(master, master, [&] { return !master.received.empty(); });
  for (int i = 0; i < 10; ++i) master.poll();
  CHECK(master.received == Words{"1 6 0"});
}
