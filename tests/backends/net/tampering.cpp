// SPDX-License-Identifier: BSD-3-Clause
/// A proxy between two hosts changes the data of a connection.
#include <sys/socket.h>

#include <catch2/catch.hpp>
#include <deque>
#include <functional>
#include <string>
#include <vector>

#include "backends/net/tcp/link.hpp"
#include "generic/base/error.hpp"
#include "tests/backends/net/tcp_end.hpp"

using namespace earl;
using namespace earl::tcp;
using namespace earl::tcp::test;
using Catch::Matchers::Contains;

namespace {

/// Takes one connection and passes on its data, both ways. After the handshake the sender's frames
/// are inspected one by one.
class Proxy {
 public:
  using Frame = std::string;  ///< with the data behind it
  /// The frame that goes on instead of the nth one.
  using Change = std::function<std::vector<Frame>(std::size_t n, Frame frame)>;

  Proxy(std::string const& there, Protection protection, Change change)
      : there_(*socket_address_from(there)), protection_(protection), change_(std::move(change)) {}

  std::string address() const { return to_text(own_end(listener_.get())); }
  void go_on() {
    if (!caller_) {
      caller_ = accept_from(listener_.get());
      if (!caller_) return;
      listener_side_ = connect_to(there_);
    }
    back_ += read(listener_side_);
    ahead_ += read(caller_);
    if (!claimed_ && ahead_.size() >= sizeof(Claim)) {
      changed_ += ahead_.substr(0, sizeof(Claim));
      ahead_.erase(0, sizeof(Claim));
      claimed_ = true;
    }
    while (claimed_ && take_frame()) {
    }
    write(listener_side_, changed_);
    write(caller_, back_);
  }
  /// As if the sender had closed its end.
  void close_ahead() { ::shutdown(listener_side_.get(), SHUT_WR); }

 private:
  static std::string read(Descriptor const& from) {
    std::string room(100'000, 0);
    auto const got = ::recv(from.get(), room.data(), room.size(), MSG_DONTWAIT);
    room.resize(got > 0 ? static_cast<std::size_t>(got) : 0);
    return room;
  }
  static void write(Descriptor const& to, std::string& text) {
    auto const sent = ::send(to.get(), text.data(), text.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
    if (sent > 0) text.erase(0, static_cast<std::size_t>(sent));
  }
  bool take_frame() {
    FramePrefix prefix;
    if (ahead_.size() < sizeof prefix) return false;
    std::memcpy(&prefix, ahead_.data(), sizeof prefix);
    auto const size = frame_overhead(protection_) + prefix.length;
    if (ahead_.size() < size) return false;
    for (auto const& frame : change_(seen_++, ahead_.substr(0, size))) changed_ += frame;
    ahead_.erase(0, size);
    return true;
  }

  SocketAddress there_;
  Protection protection_;
  Change change_;
  Descriptor listener_ = listen_at("127.0.0.1");
  Descriptor caller_{}, listener_side_{};
  std::string ahead_{}, changed_{}, back_{};
  bool claimed_ = false;
  std::size_t seen_ = 0;
};

struct Way {
  Way(Protection protection, Proxy::Change change)
      : one({.secret = secret, .protection = protection}, Rank{0}),
        other({.secret = secret, .protection = protection}, Rank{1}),
        proxy(other.link.address(), protection, std::move(change)) {
    one.link.connect(Rank{1}, proxy.address());
  }

  Secret secret = random_secret();
  End one;
  End other;
  Proxy proxy;

  /// Four frames are sent, until so many have come.
  void send_until(std::size_t received) {
    auto const frame = [](std::size_t n) {
      return std::string(1000 * n + 1, static_cast<char>('a' + n));
    };
    for (auto const end = Clock::now() + limit; other.received.frames.size() < received;) {
      REQUIRE(Clock::now() < end);
      if (sent < 4 && one.link.send(Rank{1}, bytes_in(frame(sent)))) ++sent;
      one.go_on();
      proxy.go_on();
      other.go_on();
    }
  }
  std::size_t sent = 0;
};

auto any_seal() { return GENERATE(Protection::authenticated, Protection::encrypted); }

constexpr std::size_t bad = 2;  ///< the frame that something happens to

}  // namespace

TEST_CASE("tcp: sealed frames pass through a proxy that changes nothing") {
  Way way(any_seal(), [](std::size_t, Proxy::Frame frame) { return std::vector{frame}; });
  way.send_until(4);
  CHECK(way.other.received.frames.back() == std::string(3001, 'd'));
}

TEST_CASE("tcp: a change, repetition, reordering or loss by a proxy ends the job with a message") {
  auto const protection = any_seal();
  using Frames = std::vector<Proxy::Frame>;
  Proxy::Change change;
  std::string held;
  SECTION("a byte of a frame, its tag or its length") {
    auto const at = GENERATE(std::size_t{0}, 4U, 8U, 30U, 1000U);
    change = [at](std::size_t n, Proxy::Frame frame) {
      if (n == bad) frame[at] ^= 1;
      return Frames{frame};
    };
  }
  SECTION("a frame comes twice") {
    change = [](std::size_t n, Proxy::Frame const& frame) {
      return n == bad ? Frames{frame, frame} : Frames{frame};
    };
  }
  SECTION("two frames change places") {
    change = [&held](std::size_t n, Proxy::Frame const& frame) {
      if (n == bad) return held = frame, Frames{};
      return n == bad + 1 ? Frames{frame, held} : Frames{frame};
    };
  }
  SECTION("a frame is left out") {
    change = [](std::size_t n, Proxy::Frame const& frame) {
      return n == bad ? Frames{} : Frames{frame};
    };
  }
  SECTION("a frame is cut") {
    change = [](std::size_t n, Proxy::Frame const& frame) {
      return Frames{n == bad ? frame.substr(0, frame.size() - 1) : frame};
    };
  }
  Way way(protection, change);
  CHECK_THROWS_WITH(way.send_until(5),
                    Contains("the connection with rank 0 cannot be trusted: a frame is not as"));
  CHECK(way.other.received.frames.size() <= bad + 1);
}

TEST_CASE("tcp: where frames are sealed, only EXEC says that a process has ended") {
  Way way(any_seal(), [](std::size_t, Proxy::Frame frame) { return std::vector{frame}; });
  way.send_until(4);
  way.proxy.close_ahead();
  auto const wait = [&] {
    for (auto const end = Clock::now() + limit; Clock::now() < end;)
      if (way.other.go_on() == 0)
        way.other.link.sleep(Clock::now() + std::chrono::milliseconds{50});
  };
  CHECK_THROWS_WITH(wait(), Contains("the connection with rank 0 broke"));
}
