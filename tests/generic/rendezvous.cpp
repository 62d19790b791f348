// SPDX-License-Identifier: BSD-3-Clause
#include "generic/rendezvous.hpp"

#include <catch2/catch.hpp>

#include "tests/generic/lone_engine.hpp"

using namespace earl;
using namespace earl::test;

namespace {

using Kinds = std::vector<Kind>;
constexpr TransferId theirs{9};

std::vector<std::byte> piece(std::uint64_t offset, std::vector<std::byte> const& of,
                             std::size_t size) {
  const Fragment fragment{theirs, offset};
  std::vector<std::byte> packet(sizeof fragment + size);
  copy(bytes_of(fragment), MutableBytes{packet});
  copy(Bytes{of}.subspan(offset, size), MutableBytes{packet}.subspan(sizeof fragment));
  return packet;
}

/// The transfer that the lone engine's last offer names.
TransferId offered(LoneEngine const& lone) {
  return from_bytes<Offer>(lone.port.sent.back().payload.bytes()).transfer;
}

}  // namespace

TEST_CASE("an accepted offer goes out in pieces, and is over when the receiver says so") {
  LoneEngine lone;
  auto const data = pattern(300);
  const RequestId sent = lone.engine.outbound().start_send(to(1, 1, Mode::standard), Bytes{data});
  CHECK(lone.left() == Kinds{Kind::offer});
  auto const transfer = offered(lone);
  lone.arrive(Kind::accept, 0, 0, bytes_of(Accept{transfer, {}}));
  auto const pieces = lone.left();
  CHECK(pieces.size() == 3);  // of 128 - 16 bytes each
  CHECK(std::ranges::count(pieces, Kind::data) == 3);
  CHECK_FALSE(lone.engine.rendezvous().is_pushing());
  CHECK_FALSE(lone.engine.requests().test(sent));
  lone.arrive(Kind::done, 0, 0, bytes_of(transfer));
  CHECK(lone.engine.requests().test(sent));
  CHECK(lone.engine.rendezvous().may_leave());
}

TEST_CASE("pieces that have no room stay, and one that is half sent goes on where it was") {
  LoneEngine lone;
  auto const data = pattern(300);
  static_cast<void>(lone.engine.outbound().start_send(to(1, 1, Mode::standard), Bytes{data}));
  lone.port.room = 1;
  lone.arrive(Kind::accept, 0, 0, bytes_of(Accept{offered(lone), {}}));
  CHECK(lone.engine.rendezvous().is_pushing());
  CHECK_FALSE(lone.engine.rendezvous().may_leave());
  lone.port.room = 100;
  lone.engine.pump();
  CHECK_FALSE(lone.engine.rendezvous().is_pushing());
  auto const last = from_bytes<Fragment>(lone.port.sent.back().payload.bytes());
  CHECK(last.offset == 2 * (128 - sizeof(Fragment)));
}

TEST_CASE("an offer that a receive matches is accepted, filled piece by piece, and acknowledged") {
  LoneEngine lone;
  auto const data = pattern(200);
  std::vector<std::byte> room(200);
  const RequestId posted = lone.engine.receiver().start_receive(tagged(5), MutableBytes{room});
  lone.arrive(Kind::offer, 5, 200, bytes_of(Offer{theirs, {}}));
  CHECK(lone.left() == Kinds{Kind::accept});
  lone.arrive(Kind::data, 0, 200, Bytes{piece(0, data, 100)});
  CHECK(lone.engine.rendezvous().is_receiving());
  CHECK_FALSE(lone.engine.requests().test(posted));
  lone.arrive(Kind::data, 0, 200, Bytes{piece(100, data, 100)});
  CHECK(lone.left() == Kinds{Kind::done});
  CHECK(lone.engine.requests().test(posted)->delivered == 200);
  CHECK(room == data);
  CHECK_FALSE(lone.engine.rendezvous().is_receiving());
}

TEST_CASE("where the receiver reads the sender's memory it acknowledges at once") {
  LoneEngine lone{{.packet = 128, .eager = 64, .remote_readable = true}};
  lone.port.pulled = Pulled::done;
  std::vector<std::byte> room(200);
  const RequestId posted = lone.engine.receiver().start_receive(tagged(5), MutableBytes{room});
  lone.arrive(Kind::offer, 5, 200, bytes_of(Offer{theirs, {}}));
  CHECK(lone.left() == Kinds{Kind::done});
  CHECK(lone.engine.requests().test(posted));
}

TEST_CASE("an offer that nothing has matched is given back when its sender asks for it") {
  LoneEngine lone;
  lone.arrive(Kind::offer, 5, 200, bytes_of(Offer{theirs, {}}));
  CHECK(lone.engine.receiver().unexpected().size() == 1);
  lone.arrive(Kind::recall, 0, 0, bytes_of(theirs));
  CHECK(lone.left() == Kinds{Kind::recalled});
  CHECK(lone.engine.receiver().unexpected().size() == 0);
  lone.arrive(Kind::recall, 0, 0, bytes_of(theirs));
  CHECK(lone.left().empty());
}

TEST_CASE("a send whose receiver is gone is over") {
  LoneEngine lone;
  auto const data = pattern(300);
  const RequestId sent = lone.engine.outbound().start_send(to(1, 1, Mode::standard), Bytes{data});
  lone.engine.rendezvous().gone(Rank{1});
  CHECK(lone.engine.requests().test(sent)->lost);
  CHECK(lone.engine.rendezvous().may_leave());
}
