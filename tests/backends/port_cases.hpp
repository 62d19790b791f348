// SPDX-License-Identifier: BSD-3-Clause
/// Cases of ports that are the same on every fake back end. A `Network` is a test's wrapper of one:
/// join(rank) enrols a process and gives its port, port(rank) gives it again, board() is the job's.
#pragma once

#include <catch2/catch.hpp>

#include "tests/backends/packet_log.hpp"

namespace earl::test {

/// Packets of one source come as they were sent, of any size up to the limit.
template <class Network>
void check_order_and_sizes() {
  Network network{2};
  auto const most = network.join(0).limits().packet;
  network.join(1);
  std::vector<std::byte> const payload(1000);
  std::vector<std::byte> const largest(most);
  REQUIRE(network.port(0).put(Rank{1}, eager(0, 1), Bytes{payload}));
  REQUIRE(network.port(0).put(Rank{1}, eager(0, 2), Bytes{}));
  REQUIRE(network.port(0).put(Rank{1}, eager(0, 3), Bytes{largest}));
  CHECK(polled(network.port(1)) == Words{"0 1 1000", "0 2 0", "0 3 " + std::to_string(most)});
}

/// A payload of many pieces arrives whole.
template <class Network>
void check_pieces() {
  Network network{2};
  network.join(0);
  network.join(1);
  std::vector<std::byte> const piece(10);
  std::vector<Bytes> const pieces(20, Bytes{piece});
  REQUIRE(network.port(0).put(Rank{1}, eager(0, 1), Gather{pieces}));
  CHECK(polled(network.port(1)) == Words{"0 1 200"});
}

/// A process that does not receive is sent no more than `window` bytes; receiving makes room.
template <class Network>
void check_window(std::size_t window) {
  Network network{2};
  network.join(0);
  network.join(1);
  std::vector<std::byte> const payload(1000);
  std::size_t under_way = 0;
  while (network.port(0).put(Rank{1}, eager(0, 1), Bytes{payload})) under_way += payload.size();
  CHECK(under_way <= window);
  CHECK(under_way > window / 2);
  CHECK(polled(network.port(1)).size() == under_way / payload.size());
  CHECK(polled(network.port(0)).empty());  // only the credit came back
  CHECK(network.port(0).put(Rank{1}, eager(0, 1), Bytes{payload}));
}

/// A control notice of EXEC is observed once.
template <class Network>
void check_control_notice() {
  Network network{1};
  network.join(0);
  network.board().row(Rank{0}).control_notices.fetch_add(1);
  CHECK(polled(network.port(0)) == Words{"control"});
  CHECK(polled(network.port(0)).empty());
}

}  // namespace earl::test
