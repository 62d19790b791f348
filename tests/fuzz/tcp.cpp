// SPDX-License-Identifier: BSD-3-Clause
/// Data of a connection between two processes: words of the handshake from any peer, and frames
/// from an authenticated one.
#include <sys/socket.h>
#include <unistd.h>

#include "backends/net/tcp/connection.hpp"
#include "tests/fuzz/only_errors.hpp"

using namespace earl;
using namespace earl::tcp;

namespace {

const Secret secret{std::byte{1}};
const PeerCredentials plain{.secret = secret};
const PeerCredentials sealing{.secret = secret, .protection = Protection::encrypted};
constexpr Rank here{1};
constexpr Rank there{0};

void check_frame(Bytes frame) {
  EARL_CHECK(frame.size() <= largest_frame);
  const Buffer copied{Gather{frame}};
}

/// All that a socket takes at once.
void say(Descriptor const& socket, Bytes bytes) {
  [[maybe_unused]] auto const sent =
      ::send(socket.get(), bytes.data(), bytes.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
}

struct Pair {
  Descriptor ours;
  Descriptor theirs;
};

Pair connected() {
  int ends[2];
  EARL_CHECK(::socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0, ends) == 0);
  return {Descriptor(ends[0]), Descriptor(ends[1])};
}

void receive_all(Incoming& end) {
  for (int turns = 0; turns < 64 && end.state() != Incoming::State::closed; ++turns)
    (void)end.receive(secret, here, check_frame);
}

/// A caller that does not know the secret.
void be_called(Bytes input, PeerCredentials const& trust) {
  auto [ours, theirs] = connected();
  Incoming end(std::move(ours), trust.protection);
  say(theirs, input);
  receive_all(end);
  EARL_CHECK(end.state() != Incoming::State::open);
}

/// One that does, and then sends anything.
void read_frames(Bytes input, PeerCredentials const& trust) {
  auto [ours, theirs] = connected();
  Incoming end(std::move(ours), trust.protection);
  Challenge challenge;
  EARL_CHECK(::recv(theirs.get(), &challenge, sizeof challenge, 0) == sizeof challenge);
  auto const said = claim(secret, challenge, number(there), number(here));
  say(theirs, bytes_of(said));
  (void)end.receive(secret, here, check_frame);
  EARL_CHECK(end.state() == Incoming::State::open);
  say(theirs, input);
  theirs.close();
  receive_all(end);
}

/// Something else answers where a process is expected.
void call(Bytes input) {
  auto const listener = listen_at("127.0.0.1");
  Outgoing end(own_end(listener.get()));
  auto const theirs = accept_from(listener.get());
  if (!theirs) return;
  say(theirs, input);
  for (int turns = 0; turns < 8 && end.state() != Outgoing::State::broken; ++turns)
    end.go_on({.trust = plain, .from = there, .to = here});
  EARL_CHECK(end.state() != Outgoing::State::open);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size) {
  const Bytes input = std::as_bytes(std::span{data, size});
  for (auto const* one : {&plain, &sealing}) {
    fuzz::only_errors([&] { be_called(input, *one); });
    fuzz::only_errors([&] { read_frames(input, *one); });
  }
  fuzz::only_errors([&] { call(input); });
  return 0;
}
