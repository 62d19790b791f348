// SPDX-License-Identifier: BSD-3-Clause
/// Places of processes that have ended are those of new ones: what every back end that uses them
/// again must do.
#pragma once

#include <fcntl.h>

#include <algorithm>
#include <catch2/catch.hpp>
#include <optional>
#include <thread>

#include "generic/base/keyed.hpp"
#include "generic/seams/backend.hpp"
#include "tests/backends/packet_log.hpp"

namespace earl::test {

inline constexpr int places = 4;
inline constexpr auto reuse_limit = std::chrono::seconds{60};

/// A process, and what it has received so far.
struct Member {
  std::unique_ptr<Port> port;
  int rank;
  Words received{};

  void poll() {
    for (auto& word : polled(*port)) received.push_back(std::move(word));
  }
};

/// EXEC's half of a job, whose processes are all this one.
class ReusingJob {
 public:
  explicit ReusingJob(Backend const& back_end, std::optional<Secret> const& secret = {})
      : back_end_(back_end),
        exec_(back_end.prepare({.initial = 2, .capacity = places, .secret = secret})) {}
  PreparedJob& exec() { return *exec_; }
  Member begin(int rank) { return {join(rank), rank}; }
  void end(Member& member) {
    member.port.reset();
    exec_->ended(Rank{member.rank});
    REQUIRE(exec_->release(Rank{member.rank}));
  }

 private:
  std::unique_ptr<Port> join(int rank) {
    exec_->named(Rank{rank});
    std::vector<int> copies;
    for (int const fd : exec_->descriptors(Rank{rank}))
      copies.push_back(::fcntl(fd, F_DUPFD_CLOEXEC, 0));
    auto port = back_end_.join(copies, Rank{rank});
    exec_->registered(Rank{rank}, 1);
    return port;
  }

  Backend const& back_end_;
  std::unique_ptr<PreparedJob> exec_;
};

/// Polls both until `done`.
template <class Done>
void until(Member& one, Member& other, Done const& done) {
  auto const deadline = Clock::now() + reuse_limit;
  while (!done()) {
    REQUIRE(Clock::now() < deadline);
    one.poll();
    other.poll();
    std::this_thread::yield();
  }
}

/// Both take part in the handshake, if there is one, and the message arrives.
inline void send(Member& from, Member& to, int tag) {
  until(from, to, [&] { return from.port->put(Rank{to.rank}, eager(from.rank, tag), Bytes{}); });
  auto const message = std::to_string(from.rank) + " " + std::to_string(tag) + " 0";
  until(from, to, [&] { return std::ranges::count(to.received, message) != 0; });
}

/// The packets that one process receives alone.
inline void expect(Member& one, std::string const& word) {
  one.received.clear();
  until(one, one, [&] { return !one.received.empty(); });
  CHECK(one.received == Words{word});
}

/// A process that has the place of one that has ended is not taken for it.
inline void check_places_of_others(Backend const& back_end) {
  ReusingJob job{back_end};
  auto master = job.begin(0);
  auto old = job.begin(1);
  send(old, master, 10);
  send(master, old, 11);
  job.end(old);
  auto young = job.begin(1 + places);
  CHECK(master.port->ended(Rank{1}));
  CHECK_FALSE(master.port->ended(Rank{1 + places}));
  // To the one that has ended, before and after its end has been noticed.
  for (int i = 0; i < 2; ++i) {
    CHECK(master.port->put(Rank{1}, eager(0, 12 + i), Bytes{}));
    expect(master, "gone 1");
  }
  send(master, young, 14);
  send(young, master, 15);
  CHECK(std::ranges::count(young.received, "0 14 0") == 1);
  CHECK(std::ranges::count(young.received, "0 11 0") +
            std::ranges::count(young.received, "0 12 0") ==
        0);
}

/// A process that has fallen behind is notified of the ends of its peers.
inline void check_missed_ends(Backend const& back_end) {
  ReusingJob job{back_end};
  auto master = job.begin(0);
  auto known = job.begin(1);
  send(known, master, 10);
  send(master, known, 11);
  job.end(known);
  for (int n = 1; n <= 3 * places; ++n) {
    auto other = job.begin(2 + n * places);
    job.end(other);
  }
  expect(master, "gone 1");
}

}  // namespace earl::test
