// SPDX-License-Identifier: BSD-3-Clause
/// Members of a board, each a thread, for ThreadSanitizer: what one member reads of another is
/// ordered by the board's own words. Exit code 0: all results were right.
#include <array>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <thread>
#include <vector>

#include "generic/collectives/collective_board.hpp"

using namespace earl;

namespace {

constexpr std::uint64_t rounds = 2'000;

class NoPort final : public Boards {
 public:
  std::byte* board(std::uint64_t, std::span<const Rank>) override { return nullptr; }
  void leave_board(std::uint64_t, std::size_t) override {}
  Awaited await_word(Awaited const&) override { return {}; }
  void fence() override {}
  void wake_members(std::span<const Rank>) override {}
  void board_damaged() override {
    std::fputs("a board with a word that no member writes\n", stderr);
    std::abort();
  }
};

void require(bool truth, char const* what) {
  if (truth) return;
  std::fprintf(stderr, "%s is not so\n", what);
  std::abort();
}

void add(void*, std::byte* into, std::byte const* from, std::size_t) {
  std::uint64_t a = 0, b = 0;
  std::memcpy(&a, into, sizeof a);
  std::memcpy(&b, from, sizeof b);
  a += b;
  std::memcpy(into, &a, sizeof a);
}

template <class Done>
void wait_until(Done done) {
  while (!done()) std::this_thread::yield();
}

class Member {
 public:
  Member(std::byte* memory, std::size_t members, std::size_t me)
      : members_(members), me_(me), board_(port_, memory, members, me) {}

  void run() {
    for (std::uint64_t round = 1; round <= rounds; ++round) {
      reduce(round, round % 5 != 0 || me_ == round % members_);
      broadcast(round, round % 3 == 0 ? round % members_ : 0);
      if (round % 4 == 0) exchange(round);
    }
  }

 private:
  static std::uint64_t value_of(std::size_t member, std::uint64_t round) {
    return (round * 64 + member) * 0x9e37'79b9'7f4a'7c15;
  }
  BoardMember begin(Collective kind, std::size_t length) {
    return board_.begin(CollectiveCall{.kind = kind}.word(), number_++, length,
                        CollectiveBoard::Place::here);
  }

  /// All members make the same calls: none may look like one that makes another.
  template <class Done, class Missing>
  void await(Done done, Missing missing) {
    wait_until([&] {
      for (std::size_t member = 0; member < members_; ++member)
        if (member != me_ && missing(member))
          require(!board_.misplaced(member, [&] { return missing(member); }),
                  "that a member is where the others are");
      return done();
    });
  }
  void await_entry() {
    await([&] { return board_.entry().there(); },
          [&](std::size_t member) { return !board_.arrived_before(member); });
  }
  void await_all() {
    await([&] { return board_.done().there(); },
          [&](std::size_t member) { return !board_.arrived(member); });
  }

  void reduce(std::uint64_t round, bool wants) {
    std::uint64_t value = value_of(me_, round);
    MutableBytes const data = std::as_writable_bytes(std::span{&value, 1});
    BoardMember const own = begin(Collective::reduce, sizeof value);
    await_entry();
    if (board_.enter(own, data)) {
      require(!board_.first_mismatch(own), "that all calls fit");
      board_.combine_all(data, combine_);
      board_.finish(data);
    } else if (!wants) {
      return;
    } else {
      await_all();
      if (members_ == 2)
        board_.combine_all(data, combine_);
      else
        require(!board_.read_result(data), "that there is a result");
    }
    std::uint64_t expected = 0;
    for (std::size_t member = 0; member < members_; ++member) expected += value_of(member, round);
    require(value == expected, "a sum");
  }

  void broadcast(std::uint64_t round, std::size_t root) {
    std::array<std::uint64_t, 2> value{};
    if (me_ == root) value = {round, ~round};
    MutableBytes const data = std::as_writable_bytes(std::span{value});
    BoardMember const own = begin(Collective::broadcast, data.size());
    board_.next_broadcast();
    if (me_ == root) {
      wait_until([&] {
        if (!board_.known_free(CollectiveBoard::slots))
          board_.look_for_free_slots([](std::size_t) { return true; });
        return board_.known_free(CollectiveBoard::slots);
      });
      require(board_.claim_slot(), "that the slot is free");
      return board_.write_slot(own, data);
    }
    await([&] { return board_.slot_written().there(); },
          [&](std::size_t member) { return member == root && !board_.slot_written().there(); });
    require(board_.read_slot(root, data).fits(own), "that the root's call fits");
    board_.leave_slot();
    require(value == std::array{round, ~round}, "what was broadcast");
  }

  /// All read all cells, which the reductions behind it write again.
  void exchange(std::uint64_t round) {
    std::uint64_t const value = value_of(me_, round);
    BoardMember const own = begin(Collective::all_gather, sizeof value);
    await_entry();
    if (board_.enter(own, std::as_bytes(std::span{&value, 1}), true))
      board_.finish({});
    else
      await_all();
    for (std::size_t member = 0; member < members_; ++member) {
      std::uint64_t theirs = 0;
      std::memcpy(&theirs, board_.given(member).data(), sizeof theirs);
      require(theirs == value_of(member, round), "what was exchanged");
    }
  }

  NoPort port_;
  std::size_t members_;
  std::size_t me_;
  CollectiveBoard board_;
  Combine combine_{.function = add};
  std::uint32_t number_ = 0;
};

struct alignas(64) Memory {
  std::array<std::byte, Boards::size> bytes{};
};

void run(std::size_t members) {
  auto const memory = std::make_unique<Memory>();
  std::vector<std::thread> threads;
  for (std::size_t me = 0; me < members; ++me)
    threads.emplace_back([&, me] { Member{memory->bytes.data(), members, me}.run(); });
  for (auto& thread : threads) thread.join();
}

}  // namespace

int main() {
  for (std::size_t const members : {std::size_t{2}, std::size_t{3}, std::size_t{5}}) run(members);
  return 0;
}
