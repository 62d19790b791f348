// SPDX-License-Identifier: BSD-3-Clause
/// The link over libfabric, on a library made of lists.
#include "backends/net/ofi/link.hpp"

#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <catch2/catch.hpp>
#include <cstring>
#include <deque>
#include <filesystem>
#include <map>

#include "backends/net/ofi/job.hpp"
#include "generic/base/error.hpp"

using namespace earl;
using namespace earl::net;
using namespace earl::net::ofi;

struct earl_ofi_endpoint {
  int me = 0;
};

namespace {

using Words = std::vector<std::string>;

/// The state that all endpoints share. A frame's slot is its place among all that ever came.
struct Fabric {
  struct Expected {
    iovec memory{};
    std::size_t slot = 0;
  };
  std::map<std::pair<int, std::uint64_t>, Expected> expected{};  ///< by endpoint and tag
  std::size_t moves = 1000;                                      ///< how many may begin
  std::size_t slots = 0;
  std::map<int, std::deque<earl_ofi_arrival>> towards{};
  std::deque<std::vector<std::byte>> frames{};
  std::vector<std::size_t> released{};
  std::vector<std::uint64_t> removed{};  ///< destinations
  std::size_t room = 1000;               ///< frames in all
  int endpoints = 0;
  int closed = 0;
  bool broken = false;
  int wait_fd = -1;
};

Fabric* fabric = nullptr;
constexpr int broken = -5;

int open(char const* provider, char const*, std::size_t, earl_ofi_endpoint** result) {
  if (provider && std::string_view{provider} == "none") return broken;
  *result = new earl_ofi_endpoint{.me = fabric->endpoints++};
  return 0;
}
char const* provider(earl_ofi_endpoint const*) { return "lists"; }
int address(earl_ofi_endpoint* ofi, void* room) {
  std::memcpy(room, &ofi->me, sizeof ofi->me);
  return sizeof ofi->me;
}
int insert(earl_ofi_endpoint*, void const* address, std::uint64_t* destination) {
  int peer = 0;
  std::memcpy(&peer, address, sizeof peer);
  *destination = static_cast<std::uint64_t>(peer);
  return 0;
}
void remove(earl_ofi_endpoint*, std::uint64_t destination) {
  fabric->removed.push_back(destination);
}
int send(earl_ofi_endpoint*, std::uint64_t destination, std::uint32_t, iovec const* pieces,
         int count) {
  if (fabric->broken) return broken;
  if (fabric->frames.size() >= fabric->room) return 0;
  auto& frame = fabric->frames.emplace_back();
  for (int i = 0; i < count; ++i) {
    auto const* const first = static_cast<std::byte const*>(pieces[i].iov_base);
    frame.insert(frame.end(), first, first + pieces[i].iov_len);
  }
  fabric->towards[static_cast<int>(destination)].push_back({.event = earl_ofi_frame,
                                                            .bytes = frame.data(),
                                                            .size = frame.size(),
                                                            .slot = fabric->frames.size() - 1,
                                                            .peer = 0,
                                                            .error_text = nullptr});
  return 1;
}
int next(earl_ofi_endpoint* ofi, earl_ofi_arrival* arrival) {
  auto& queue = fabric->towards[ofi->me];
  arrival->event = earl_ofi_nothing;
  if (queue.empty()) return 0;
  *arrival = queue.front();
  queue.pop_front();
  return 0;
}
int release(earl_ofi_endpoint*, std::size_t slot) {
  fabric->released.push_back(slot);
  return 0;
}
earl_ofi_arrival over(std::size_t slot, char const* error_text = nullptr) {
  return {.event = earl_ofi_moved,
          .bytes = nullptr,
          .size = 0,
          .slot = slot,
          .peer = 0,
          .error_text = error_text};
}
std::size_t longest(earl_ofi_endpoint const*) { return 1000; }
int send_whole(earl_ofi_endpoint* ofi, std::uint64_t destination, iovec memory, std::uint64_t tag,
               std::size_t* slot) {
  if (fabric->broken) return broken;
  if (fabric->moves == 0) return 0;
  --fabric->moves;
  *slot = fabric->slots++;
  auto const to = static_cast<int>(destination);
  auto const at = fabric->expected.find({to, tag});
  REQUIRE(at != fabric->expected.end());
  REQUIRE(at->second.memory.iov_len == memory.iov_len);
  std::memcpy(at->second.memory.iov_base, memory.iov_base, memory.iov_len);
  fabric->towards[to].push_back(over(at->second.slot));
  fabric->towards[ofi->me].push_back(over(*slot));
  fabric->expected.erase(at);
  return 1;
}
int receive_whole(earl_ofi_endpoint* ofi, iovec memory, std::uint64_t tag, std::size_t* slot) {
  if (fabric->moves == 0) return 0;
  *slot = fabric->slots++;
  fabric->expected[{ofi->me, tag}] = {memory, *slot};
  return 1;
}
void take_back(earl_ofi_endpoint* ofi, std::size_t slot) {
  std::erase_if(fabric->expected, [&](auto const& one) { return one.second.slot == slot; });
  fabric->towards[ofi->me].push_back(over(slot, "taken back"));
}
int wait_fd(earl_ofi_endpoint const*) { return fabric->wait_fd; }
int may_sleep(earl_ofi_endpoint*) { return 1; }
char const* error_text(int) { return "no such luck"; }
void close(earl_ofi_endpoint* ofi) {
  ++fabric->closed;
  delete ofi;
}

std::uint32_t native_version() { return 0; }

constexpr earl_ofi_calls calls{earl_ofi_version, native_version, open,          provider,  address,
                               insert,           remove,         send,          next,      release,
                               longest,          send_whole,     receive_whole, take_back, wait_fd,
                               may_sleep,        error_text,     close};

struct FrameLog final : FrameSink {
  Words words{};
  void frame(Rank from, Bytes frame) override {
    words.push_back(fmt::format(
        "{} of {}", std::string{reinterpret_cast<char const*>(frame.data()), frame.size()},
        number(from)));
  }
  void landed(std::uint64_t number, bool whole) override {
    words.push_back(fmt::format("{} {}", whole ? "landed" : "lost", number));
  }
  void down(Rank peer, std::string_view) override {
    words.push_back(fmt::format("down {}", number(peer)));
  }
  void on_control_ready() override { words.emplace_back("control"); }
};

/// Some processes, whose ranks are their endpoints.
struct OfiNetwork {
  Fabric all{};
  Board board{4, 2};
  std::vector<std::unique_ptr<OfiLink>> links{};

  explicit OfiNetwork(int processes) {
    fabric = &all;
    for (int i = 0; i < processes; ++i) links.push_back(link(i));
  }
  ~OfiNetwork() {
    links.clear();
    fabric = nullptr;
  }
  OfiNetwork(OfiNetwork const&) = delete;
  OfiNetwork& operator=(OfiNetwork const&) = delete;

  std::unique_ptr<OfiLink> link(int rank, char const* wanted = nullptr) {
    Descriptor memory(::fcntl(board.descriptor(), F_DUPFD_CLOEXEC, 0));
    return std::make_unique<OfiLink>(std::make_unique<Board>(std::move(memory)), Bell{}, Rank{rank},
                                     calls, wanted);
  }
  bool send(int from, int to, std::string_view text) {
    return links[static_cast<std::size_t>(from)]->send(Rank{to},
                                                       Bytes{std::as_bytes(std::span{text})});
  }
  OfiLink& operator[](int rank) { return *links[static_cast<std::size_t>(rank)]; }
  Words received(int rank) {
    FrameLog sink;
    links[static_cast<std::size_t>(rank)]->progress(sink, 100);
    return sink.words;
  }
};

bool readable(int fd, int milliseconds) {
  pollfd file{.fd = fd, .events = POLLIN, .revents = 0};
  return ::poll(&file, 1, milliseconds) == 1;
}

Deadline soon() { return Clock::now() + std::chrono::milliseconds{1}; }

}  // namespace

TEST_CASE("libfabric: frames come whole, in order, and their memory is given back") {
  OfiNetwork network{2};
  for (auto const* text : {"a", "", "long"}) REQUIRE(network.send(0, 1, text));
  CHECK(network.received(1) == Words{"a of 0", " of 0", "long of 0"});
  CHECK(network.all.released == std::vector<std::size_t>{0, 1, 2});
}

TEST_CASE("libfabric: a frame that comes before its turn waits for it") {
  OfiNetwork network{2};
  for (auto const* text : {"a", "b", "c"}) REQUIRE(network.send(0, 1, text));
  auto& queue = network.all.towards[1];
  std::rotate(queue.begin(), queue.begin() + 1, queue.end());
  CHECK(network.received(1) == Words{"a of 0", "b of 0", "c of 0"});
}

TEST_CASE(
    "libfabric: a rank that is not there yet has no room; one that has ended takes all, unseen") {
  OfiNetwork network{1};
  CHECK_FALSE(network.send(0, 1, "a"));
  CHECK(network.board.row(Rank{1}).wanted.load() == 1);
  network.links.push_back(network.link(1));
  CHECK(network.send(0, 1, "a"));
  network.board.mark_ended(Rank{1});
  CHECK(network.send(0, 1, "b"));
  CHECK(network.received(1) == Words{"a of 0"});
}

TEST_CASE("libfabric: a process that has the place of one that has ended is another") {
  constexpr int young = 1 + 4;
  OfiNetwork network{2};
  REQUIRE(network.send(0, 1, "a"));
  auto const late = network.all.towards[1].front();
  network.links[1].reset();
  network.board.mark_ended(Rank{1});
  CHECK(network.board.begin(Rank{young}));  // the one before was wanted
  CHECK_FALSE(network.send(0, young, "b"));
  CHECK(network.board.row(Rank{young}).wanted.load() == 1);
  network.links[1] = network.link(young);
  CHECK(network.send(0, young, "b"));
  CHECK(network.send(0, 1, "c"));
  // The system may give an address again.
  network.all.towards[2].push_front(late);
  CHECK(network.received(1) == Words{"b of 0"});
  REQUIRE(network.links[1]->send(Rank{0}, Bytes{}));
  CHECK(network.received(0) == Words{fmt::format(" of {}", young)});
}

TEST_CASE("libfabric: nothing is kept of processes that have ended, however many they are") {
  OfiNetwork network{1};
  for (int rank = 1; rank < 1 + 4 * 10; rank += 4) {
    if (rank != 1) network.board.begin(Rank{rank});
    network.links.push_back(network.link(rank));
    REQUIRE(network.send(0, rank, "a"));
    REQUIRE(network.links.back()->send(Rank{0}, Bytes{}));
    network.links.pop_back();
    network.board.mark_ended(Rank{rank});
  }
  Words events;
  for (auto const end = Clock::now() + std::chrono::seconds{60};
       network.all.removed.size() != 10;) {
    REQUIRE(Clock::now() < end);
    for (auto& word : network.received(0)) events.push_back(std::move(word));
  }
  for (int rank = 1; rank < 1 + 4 * 10; rank += 4) {
    auto const frame = std::ranges::find(events, fmt::format(" of {}", rank));
    REQUIRE(frame != events.end());
    CHECK(std::find(frame, events.end(), fmt::format("down {}", rank)) != events.end());
  }
}

TEST_CASE("libfabric: no room is no error") {
  OfiNetwork network{2};
  network.all.room = 1;
  CHECK(network.send(0, 1, "a"));
  CHECK_FALSE(network.send(0, 1, "b"));
}

TEST_CASE("libfabric: a frame of no process, or a too short one, is dropped") {
  OfiNetwork network{2};
  REQUIRE(network.send(0, 1, "a"));
  Prefix const strange{.from = -2, .to = 1};
  std::memcpy(network.all.frames[0].data(), &strange, sizeof strange);
  network.all.frames.emplace_back(3);
  network.all.towards[1].push_back({.event = earl_ofi_frame,
                                    .bytes = network.all.frames.back().data(),
                                    .size = 3,
                                    .slot = 1,
                                    .peer = 0,
                                    .error_text = nullptr});
  CHECK(network.received(1).empty());
  CHECK(network.all.released.size() == 2);
}

TEST_CASE(
    "libfabric: EXEC's control notice comes once; a rank that left in order is down at once, after "
    "its frames") {
  OfiNetwork network{2};
  network.board.row(Rank{1}).control_notices = 1;
  CHECK(network.received(1) == Words{"control"});
  CHECK(network.received(1).empty());
  REQUIRE(network.send(0, 1, "a"));
  network.links[0]->close(Clock::now());  // no peer answers in time; it is announced all the same
  CHECK(network.all.closed == 1);
  network.board.mark_ended(Rank{0});
  CHECK(network.received(1) == Words{"a of 0", "down 0"});
}

TEST_CASE("libfabric: a leaving process announces it, and is answered") {
  OfiNetwork network{2};
  REQUIRE(network.send(0, 1, "a"));
  auto& queue = network.all.towards[1];
  network.links[0]->close(soon());
  REQUIRE(queue.size() == 2);
  CHECK(network.received(1) == Words{"a of 0"});
  CHECK(network.all.towards[0].size() == 1);
}

TEST_CASE("libfabric: a long message goes from memory to memory, between frames") {
  OfiNetwork network{2};
  std::string const text(300, 'x');
  std::string got(300, ' ');
  auto const number =
      network[1].post_direct_receive(Rank{0}, std::as_writable_bytes(std::span{got}));
  REQUIRE(number != 0);
  REQUIRE(network.send(0, 1, "a"));
  network[0].start_direct_send(Rank{1}, number, std::as_bytes(std::span{text}));
  REQUIRE(network.send(0, 1, "b"));
  CHECK(network.received(1) == Words{"a of 0", fmt::format("landed {}", number), "b of 0"});
  CHECK(got == text);
  network[0].finish_direct_send(Rank{1}, number);
  CHECK(network.received(0).empty());
}

TEST_CASE("libfabric: a long message that finds no room leaves when there is") {
  OfiNetwork network{2};
  network.all.moves = 1;
  std::array<std::byte, 9> room{};
  auto const number = network[1].post_direct_receive(Rank{0}, MutableBytes{room});
  network.all.moves = 0;
  CHECK(network[1].post_direct_receive(Rank{0}, MutableBytes{room}) == 0);
  network[0].start_direct_send(Rank{1}, number, Bytes{room});
  CHECK(network.received(1).empty());
  network.all.moves = 1;
  network.received(0);
  CHECK(network.received(1).size() == 1);
}

TEST_CASE(
    "libfabric: a forgotten transfer is reported as failed; no send to the dead is waited for") {
  OfiNetwork network{2};
  std::array<std::byte, 9> room{};
  auto const number = network[1].post_direct_receive(Rank{0}, MutableBytes{room});
  network[1].cancel_receive(number);
  CHECK(network.received(1) == Words{fmt::format("lost {}", number)});
  auto const other = network[1].post_direct_receive(Rank{0}, MutableBytes{room});
  network[0].start_direct_send(Rank{1}, other, Bytes{room});
  network.all.towards[0].clear();  // libfabric never says that it has ended
  network.board.mark_ended(Rank{1});
  network[0].finish_direct_send(Rank{1}, other);
}

TEST_CASE("libfabric: frames of another job are dropped") {
  OfiNetwork network{2};
  REQUIRE(network.send(0, 1, "a"));
  network.board.head().key = 5;
  CHECK(network.received(1).empty());
  CHECK(network.all.released.size() == 1);
}

TEST_CASE("libfabric: its descriptor is readable when there may be something") {
  constexpr int long_enough = 5000;
  const Bell library;
  OfiNetwork network{2};
  network.all.wait_fd = library.get();
  int const fd = network[1].wait_fd();
  CHECK(readable(fd, long_enough));  // not polled yet
  network.received(1);
  CHECK_FALSE(readable(fd, 0));
  network[1].wake();
  CHECK(readable(fd, long_enough));
  network.received(1);
  library.ring();
  CHECK(readable(fd, long_enough));
  library.listen();
  network.received(1);
  CHECK_FALSE(readable(fd, 0));
  CHECK_FALSE(network.send(1, 2, "a"));  // a missing peer must be tried again
  network.received(1);
  CHECK(readable(fd, long_enough));
}

TEST_CASE("libfabric: the address of a process is passed to other hosts as text") {
  Board here{4, 2};
  Board there{4, 2};
  CHECK(here.address_text(Rank{1}).empty());
  here.publish(Rank{1}, {.host = "b", .provider = "tcp;ofi_rxm", .address = {"\x01\xff\0", 3}});
  CHECK(here.address_text(Rank{1}) == "b tcp;ofi_rxm 01ff00");
  there.add_address(Rank{1}, here.address_text(Rank{1}));
  CHECK(there.address_text(Rank{1}) == here.address_text(Rank{1}));
  for (auto const* text : {"", "b net", "b net ", "b net 0", "b net 0g", "b net 00 ", "net 00"})
    CHECK_THROWS_WITH(there.add_address(Rank{2}, text),
                      fmt::format("\"{}\" is no address of libfabric", text));
  CHECK_THROWS_WITH(there.add_address(Rank{2}, fmt::format("b net {:0>600}", "")),
                    "libfabric: an address of 300 bytes is too long");
  CHECK_THROWS_WITH(there.add_address(Rank{2}, fmt::format("{:b>70} net 00", "")),
                    Catch::Contains("a host's name of 70 bytes"));
}

TEST_CASE("libfabric: networks that it is made for are found by the system's device classes") {
  namespace fs = std::filesystem;
  auto const classes = fs::temp_directory_path() / fmt::format("earl-classes-{}", ::getpid());
  auto const at = classes.string();
  CHECK(hardware(at).empty());
  fs::create_directories(classes / "infiniband" / "mlx5_1");
  fs::create_directories(classes / "infiniband" / "mlx5_0");
  fs::create_directories(classes / "cxi" / "cxi0");
  CHECK(hardware(at) == "cxi0, mlx5_0, mlx5_1");
  fs::remove_all(classes);
}

TEST_CASE("libfabric: hosts with different providers do not reach each other") {
  OfiNetwork network{1};
  network.board.publish(Rank{1}, {.host = "b", .provider = "cxi", .address = "x"});
  CHECK_THROWS_WITH(network.send(0, 1, "a"),
                    "process 1 on host b is reached by libfabric's provider cxi, and this one by "
                    "lists: EARL_OFI_PROVIDER can name one that all hosts have");
}

TEST_CASE("libfabric: errors have its text") {
  OfiNetwork network{2};
  CHECK_THROWS_WITH(
      network.link(2, "none"),
      Catch::StartsWith("libfabric's provider none cannot be opened: no such luck; "));
  network.all.broken = true;
  CHECK_THROWS_WITH(network.send(0, 1, "a"), "libfabric (lists) cannot send: no such luck");
}

TEST_CASE("libfabric: a loss ends the job, unless its sender or receiver has ended") {
  OfiNetwork network{3};
  std::array<std::byte, 9> room{};
  bool const ends = GENERATE(true, false);
  SECTION("a frame") {
    network.all.towards[1].push_back({.event = earl_ofi_lost,
                                      .bytes = nullptr,
                                      .size = 0,
                                      .slot = 0,
                                      .peer = 0,
                                      .error_text = "cable cut"});
  }
  SECTION("a long message that was expected") {
    network[1].post_direct_receive(Rank{0}, MutableBytes{room});
    network.all.towards[1].push_back(over(0, "cable cut"));
  }
  SECTION("a long message that was brought") {
    auto const number = network[0].post_direct_receive(Rank{1}, MutableBytes{room});
    network[1].start_direct_send(Rank{0}, number, Bytes{room});
    network.all.towards[1] = {over(1, "cable cut")};
  }
  network.received(1);  // EXEC may say more
  if (ends) {
    network.board.mark_ended(Rank{0});
    network.received(1);
    REQUIRE(network.send(1, 2, "still there"));
    return;
  }
  auto const listen = [&] {
    for (auto const end = Clock::now() + std::chrono::seconds{30}; Clock::now() < end;)
      network.received(1);
  };
  CHECK_THROWS_WITH(listen(),
                    "libfabric (lists) has lost messages to or from process 0: cable cut");
  // This process may end now without waiting for that one.
  CHECK(network[1].is_down(Rank{0}));
  CHECK_FALSE(network[1].is_down(Rank{2}));
  REQUIRE(network.send(1, 0, "to an ended peer"));
  network.received(1);
}
