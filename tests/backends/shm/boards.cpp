// SPDX-License-Identifier: BSD-3-Clause
/// Boards in the job's memory: who gets which, and waits for their words.
#include <catch2/catch.hpp>

#include <sched.h>

#include <algorithm>
#include <array>
#include <random>

#include "backends/shm/boards.hpp"
#include "generic/collectives/collective_board.hpp"
#include "tests/backends/shm/harness.hpp"

using namespace earl;
using namespace earl::shm;
using namespace earl::shm::test;

namespace {

constexpr std::size_t members = 4;
constexpr std::array ranks{Rank{0}, Rank{1}, Rank{2}, Rank{3}};
constexpr std::uint64_t key = 0x1234'5678'9abc'def1;

void add(void*, std::byte* into, std::byte const* from, std::size_t) {
  std::uint64_t a = 0, b = 0;
  std::memcpy(&a, into, sizeof a);
  std::memcpy(&b, from, sizeof b);
  a += b;
  std::memcpy(into, &a, sizeof a);
}

/// One member of a group that sums again and again, as GroupBoard does it over an Engine.
class Summer {
 public:
  Summer(ShmPort& port, std::size_t me)
      : port_(port), me_(me), board_(port, port.board(key, ranks), members, me) {}

  /// False: it has failed, as a member has ended without its part.
  bool sum(std::uint64_t operation) {
    std::uint64_t value = value_of(me_, operation);
    MutableBytes const data = std::as_writable_bytes(std::span{&value, 1});
    auto const number = static_cast<std::uint32_t>(operation);
    auto const own = board_.begin(1, number, sizeof value, CollectiveBoard::Place::here);
    await(board_.entry());
    if (board_.enter(own, data)) {
      board_.combine_all(data, combine_);
      board_.finish(data);
      port_.wake_members(ranks);
    } else {
      await(board_.done());
      if (board_.done().there())
        EARL_REQUIRE(!board_.read_result(data));
      else if (all_arrived())
        board_.combine_all(data, combine_);
      else
        return false;
    }
    std::uint64_t expected = 0;
    for (std::size_t member = 0; member < members; ++member)
      expected += value_of(member, operation);
    EARL_REQUIRE(value == expected);
    return true;
  }

 private:
  static std::uint64_t value_of(std::size_t member, std::uint64_t operation) {
    return (operation * members + member) * 0x9e37'79b9'7f4a'7c15;
  }
  bool all_arrived() const {
    for (std::size_t member = 0; member < members; ++member)
      if (!board_.arrived(member)) return false;
    return true;
  }
  /// The last member has been killed behind its arrival, or any of them before.
  bool settled() const {
    bool ended = false;
    bool absent = false;
    for (std::size_t member = 0; member < members; ++member) {
      if (!port_.ended(ranks[member])) continue;
      ended = true;
      absent = absent || !board_.arrived(member);
    }
    return absent || (ended && all_arrived());
  }
  void await(Awaited const& word) {
    port_.await_word(word);
    while (!word.there() && !settled())
      if (port_.poll(log_) == 0 && !word.there() && !settled()) port_.wait(never);
    port_.await_word({});
  }

  ShmPort& port_;
  std::size_t me_;
  CollectiveBoard board_;
  Combine combine_{.function = add};
  Log log_;
};

/// The number of operations that each survivor of one killed member has ended.
std::vector<std::uint64_t> survive(std::size_t victim, std::chrono::microseconds state) {
  Job job{members};
  for (int rank = 0; rank < static_cast<int>(members); ++rank) job.exec().registered(Rank{rank}, 1);
  Segment notes = job.segment();
  Offset const at = notes.take(extent);
  for (std::size_t me = 0; me < members; ++me)
    job.start(static_cast<int>(me), [&job, at, me](ShmPort& port) {
      Segment own = job.segment();
      auto& ended = own.at<Shared<std::uint64_t>>(at + me * cache_line);
      Summer summer{port, me};
      while (summer.sum(ended.load() + 1)) ended.fetch_add(1);
    });
  // Not to order anything: the moment of the death is to be any.
  auto const until = Clock::now() + state;
  auto const limit = Clock::now() + std::chrono::seconds{seconds_allowed};
  while (Clock::now() < until ||
         (notes.at<Shared<std::uint64_t>>(at).load() == 0 && Clock::now() < limit))
    ::sched_yield();
  job.kill(static_cast<int>(victim));
  job.wait_for(static_cast<int>(victim));
  std::vector<std::uint64_t> ended;
  for (std::size_t me = 0; me < members; ++me) {
    if (me == victim) continue;
    CHECK(job.wait_for(static_cast<int>(me)) == 0);
    ended.push_back(notes.at<Shared<std::uint64_t>>(at + me * cache_line).load());
  }
  return ended;
}

}  // namespace

TEST_CASE("processes that ask with one key get one board, and other keys others") {
  Job job{2};
  auto a = job.segment(), b = job.segment();
  auto* const mine = find_board(a, key);
  auto* const theirs = find_board(b, key);
  REQUIRE(mine);
  REQUIRE(theirs);
  mine[100] = std::byte{7};
  CHECK(theirs[100] == std::byte{7});
  auto* const other = find_board(b, key + (std::uint64_t{1} << 32));
  REQUIRE(other);
  CHECK(other != theirs);
  CHECK(other[100] == std::byte{});
}

TEST_CASE("a place is closed behind a key that has refused it to another") {
  Job job{2};
  auto a = job.segment(), b = job.segment();
  std::uint64_t const rival = key + 4;
  REQUIRE(find_board(a, key));
  CHECK(find_board(b, rival) == nullptr);
  CHECK(find_board(a, rival) == nullptr);
  CHECK(find_board(b, key));
  leave_board(a, key, 2);
  CHECK(find_board(a, rival) == nullptr);
  leave_board(b, key, 2);
  CHECK(find_board(b, rival) == nullptr);
  CHECK(find_board(a, rival + 4) == nullptr);
}

TEST_CASE("a board that all members have left serves another key, as zeros") {
  Job job{2};
  auto a = job.segment(), b = job.segment();
  auto* const mine = find_board(a, key);
  REQUIRE(mine);
  mine[cache_line] = mine[board_bytes - 1] = std::byte{7};
  leave_board(a, key, 2);
  REQUIRE(find_board(b, key));
  CHECK(find_board(b, key)[board_bytes - 1] == std::byte{7});
  leave_board(b, key, 2);
  auto* const next = find_board(a, key + 4);
  CHECK(next == mine);
  for (std::size_t i = 0; i < board_bytes; ++i)
    if (next[i] != std::byte{}) FAIL("byte " << i);
}

TEST_CASE("a wait ends when the awaited word is raised") {
  Job job{2};
  for (int rank : {0, 1}) job.exec().registered(Rank{rank}, 1);
  auto const word_in = [](ShmPort& port) {
    auto* const memory = port.board(key, std::span{ranks}.first(2));
    return reinterpret_cast<std::atomic<std::uint32_t>*>(memory + cache_line);
  };
  for (int me : {0, 1})
    job.start(me, [&, me](ShmPort& port) {
      auto& own = word_in(port)[me];
      auto& other = word_in(port)[1 - me];
      Log log;
      for (std::uint32_t turn = 1; turn <= 500; ++turn) {
        if (me == 1) {
          Awaited const word{&other, turn};
          port.await_word(word);
          run_until(port, log, [&] { return word.there(); });
          port.await_word({});
        }
        own.store(turn, std::memory_order_release);
        port.wake_members(std::span{ranks}.subspan(static_cast<std::size_t>(1 - me), 1));
        if (me == 1) continue;
        Awaited const word{&other, turn};
        port.await_word(word);
        run_until(port, log, [&] { return word.there(); });
        port.await_word({});
      }
    });
  CHECK(job.wait_for(0) == 0);
  CHECK(job.wait_for(1) == 0);
}

TEST_CASE("survivors of a killed member agree how many collectives there have been") {
  auto const* const text = std::getenv("EARL_TEST_KILLS");
  int const kills = text ? std::atoi(text) : 30;
  std::minstd_rand random{std::random_device{}()};
  for (int kill = 0; kill < kills; ++kill) {
    auto const ended = survive(random() % members, std::chrono::microseconds{random() % 3'000});
    for (auto const operations : ended) CHECK(operations == ended.front());
  }
}
