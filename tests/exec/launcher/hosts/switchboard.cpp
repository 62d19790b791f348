// SPDX-License-Identifier: BSD-3-Clause
/// Connections to EXEC: agents, at all of its addresses at once, and unauthenticated peers.
#include <sys/socket.h>

#include <catch2/catch.hpp>

#include "exec/launcher/hosts/call.hpp"
#include "exec/launcher/hosts/listening.hpp"
#include "exec/launcher/plan.hpp"
#include "generic/system/sockets.hpp"

using namespace earl;
using namespace earl::exec;

namespace {

struct Line {
  Loop loop;
  Secret secret = random_secret();
  int agents = 0;
  Switchboard switchboard{loop, secret, "127.0.0.1",
                          [this](std::uint32_t, AuthenticatedSocket const&) { ++agents; }};

  Descriptor call() {
    auto const endpoint = socket_address_from(switchboard.addresses().back());  // the loopback's
    REQUIRE(endpoint);
    auto socket = connect_to(*endpoint);
    REQUIRE(socket);
    Challenge claimed_challenge;
    while (::recv(socket.get(), &claimed_challenge, sizeof claimed_challenge, MSG_PEEK) !=
           sizeof claimed_challenge)
      turn();
    return socket;
  }
  void turn() {
    loop.after(std::chrono::milliseconds{1}, [] {});
    loop.turn();
  }
  void until_closed(Descriptor const& socket) {
    std::byte one{};
    while (::recv(socket.get(), &one, 1, 0) != 0) turn();
  }
  Claim claim_over(Descriptor const& socket, Secret const& known) {
    Challenge claimed_challenge;
    REQUIRE(::recv(socket.get(), &claimed_challenge, sizeof claimed_challenge, 0) ==
            sizeof claimed_challenge);
    return claim(known, claimed_challenge, 1, -1);
  }
};

template <class Word>
void send_word(Descriptor const& socket, Word const& word) {
  REQUIRE(::send(socket.get(), &word, sizeof word, MSG_NOSIGNAL) == sizeof word);
}

}  // namespace

TEST_CASE("EXEC listens at the addresses it needs and no others") {
  auto const local = listening_address("auto", {{"localhost"}, {"127.0.0.2"}, {"127.0.0.1"}});
  CHECK(local == "127.0.0.1");
  CHECK(listening_address("auto", {}) == "127.0.0.1");
  CHECK(listening_address("auto", {{"localhost"}, {"no-such-host.invalid"}}).empty());
  CHECK(listening_address("any", {{"localhost"}}).empty());
  CHECK(listening_address("10.1.2.3", {{"localhost"}}) == "10.1.2.3");
  Line line;
  CHECK(line.switchboard.addresses().size() == 1);
  for (auto const* bad : {"", "here", "10.1.2", "::1", "10.1.2.3:4"})
    CHECK_THROWS_AS(check_listening(bad), UsageError);
}

TEST_CASE("an agent that calls at two addresses and talks at one leaves no connection behind") {
  Line line;
  auto const talks = line.call();
  auto hangs_up = line.call();
  send_word(talks, line.claim_over(talks, line.secret));
  while (line.agents == 0) line.loop.turn();
  hangs_up.close();
  auto const unauthenticated = line.call();
  send_word(unauthenticated, line.claim_over(unauthenticated, random_secret()));
  line.until_closed(unauthenticated);
  CHECK(line.switchboard.rejected_connections() == 1);
  CHECK(line.agents == 1);
}
