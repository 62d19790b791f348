// SPDX-License-Identifier: BSD-3-Clause
/// Nothing that is of a process that has ended is that one's which has its place.
#include "tests/backends/reuse_cases.hpp"

namespace earl {
extern Backend const tcp_back_end;
}

using namespace earl;
using namespace earl::test;

TEST_CASE("tcp: a process that has the place of one that has ended is not taken for it") {
  check_places_of_others(tcp_back_end);
}

TEST_CASE("tcp: a process that has fallen behind is notified of the ends of its peers") {
  check_missed_ends(tcp_back_end);
}

TEST_CASE("tcp: a frame from another host is faster than EXEC's word of its sender") {
  auto const secret = random_secret();
  ReusingJob here{tcp_back_end, secret}, there{tcp_back_end, secret};
  auto master = here.begin(0);
  here.exec().named(Rank{1});
  here.exec().add_address(Rank{1}, "127.0.0.1:1");  // the one before, which nothing may go to
  here.exec().ended(Rank{1});
  auto young = there.begin(1 + places);
  there.exec().add_address(Rank{0}, here.exec().address(Rank{0}));
  send(young, master, 10);
  CHECK_FALSE(master.port->put(Rank{1 + places}, eager(0, 11), Bytes{}));
  here.exec().named(Rank{1 + places});
  CHECK_FALSE(master.port->put(Rank{1 + places}, eager(0, 12), Bytes{}));
  here.exec().add_address(Rank{1 + places}, there.exec().address(Rank{1 + places}));
  send(master, young, 13);
  CHECK(young.received == Words{"0 13 0"});
}
