/// Cases of ports that are the same on every fake back end. A `Machine` is a test's wrapper of one:
/// join(rank) enrols a process and gives its port, port(rank) gives it again, board() is the job's.
#pragma once

#include <catch2/catch.hpp>

#include "tests/backends/heard.hpp"

namespace earl::test {

/// Packets of one source come as they were sent, of any size up to the limit.
template <class Machine>
void check_order_and_sizes() {
  Machine machine{2};
  auto const most = machine.join(0).limits().packet;
  machine.join(1);
  std::vector<std::byte> const payload(1000);
  std::vector<std::byte> const largest(most);
  REQUIRE(machine.port(0).put(Rank{1}, eager(0, 1), Bytes{payload}));
  REQUIRE(machine.port(0).put(Rank{1}, eager(0, 2), Bytes{}));
  REQUIRE(machine.port(0).put(Rank{1}, eager(0, 3), Bytes{largest}));
  CHECK(polled(machine.port(1)) == Words{"0 1 1000", "0 2 0", "0 3 " + std::to_string(most)});
}

/// A payload of many pieces arrives whole.
template <class Machine>
void check_pieces() {
  Machine machine{2};
  machine.join(0);
  machine.join(1);
  std::vector<std::byte> const piece(10);
  std::vector<Bytes> const pieces(20, Bytes{piece});
  REQUIRE(machine.port(0).put(Rank{1}, eager(0, 1), Gather{pieces}));
  CHECK(polled(machine.port(1)) == Words{"0 1 200"});
}

/// A control notice of EXEC is observed once.
template <class Machine>
void check_control_notice() {
  Machine machine{1};
  machine.join(0);
  machine.board().row(Rank{0}).control_notices.fetch_add(1);
  CHECK(polled(machine.port(0)) == Words{"knock"});
  CHECK(polled(machine.port(0)).empty());
}

}  // namespace earl::test
