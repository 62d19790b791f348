// SPDX-License-Identifier: BSD-3-Clause
#include "backends/fibers/mailbox.hpp"

#include <catch2/catch.hpp>
#include <string>

using namespace earl;
using fibers::Mailbox;

namespace {

struct Listener final : PacketSink {
  void packet(Header const& header, Bytes payload) override {
    received.emplace_back(
        header.tag, std::string{reinterpret_cast<char const*>(payload.data()), payload.size()});
    if (answer) answer->add(header, Bytes{});
  }
  void moved(Rank, TransferId, bool) override {}
  void gone(Rank) override {}
  void on_control_ready() override {}

  std::vector<std::pair<int, std::string>> received{};
  Mailbox* answer = nullptr;
};

void add(Mailbox& box, int tag, std::string const& text) {
  Header header;
  header.tag = tag;
  box.add(header, Bytes{std::as_bytes(std::span{text})});
}

}  // namespace

TEST_CASE("a mailbox gives packets of any length in the order they came") {
  Mailbox box;
  Listener listener;
  for (int round = 0; round < 3; ++round) {
    listener.received.clear();
    for (int length = 0; length < 40; ++length)
      add(box, length, std::string(static_cast<std::size_t>(length), 'x'));
    CHECK(box.empty_into(listener) == 40);
    REQUIRE(listener.received.size() == 40);
    for (int length = 0; length < 40; ++length) {
      CHECK(listener.received[static_cast<std::size_t>(length)].first == length);
      CHECK(listener.received[static_cast<std::size_t>(length)].second.size() ==
            static_cast<std::size_t>(length));
    }
    CHECK(box.empty());
  }
}

TEST_CASE("packets that come while others are handed over wait for the next time") {
  Mailbox box;
  Listener listener;
  listener.answer = &box;
  add(box, 1, "one");
  add(box, 2, "two");
  CHECK(box.empty_into(listener) == 2);
  CHECK(listener.received.size() == 2);
  CHECK_FALSE(box.empty());
}

TEST_CASE("a mailbox is full from a limit on, and has room again when it has been emptied") {
  Mailbox box;
  Listener listener;
  const std::string piece(10'000, 'x');
  std::size_t count = 0;
  for (; !box.full(); ++count) add(box, static_cast<int>(count), piece);
  CHECK(count * piece.size() >= Mailbox::room - piece.size());
  CHECK(box.empty_into(listener) == count);
  CHECK_FALSE(box.full());
}

TEST_CASE("two ranks meet once") {
  Mailbox box;
  CHECK(box.meet(Rank{70}));
  CHECK(box.meet(Rank{3}));
  CHECK_FALSE(box.meet(Rank{70}));
  CHECK(box.peers == std::vector<Rank>{Rank{70}, Rank{3}});
}
