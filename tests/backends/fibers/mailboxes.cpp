// SPDX-License-Identifier: BSD-3-Clause
#include "backends/fibers/mailboxes.hpp"

#include <catch2/catch.hpp>

#include "tests/sanitized.hpp"

using namespace earl;
using fibers::Mailboxes;

namespace {

void meet(Mailboxes& all, Rank one, Rank other) { all.introduce(all.of(one), one, other); }

}  // namespace

TEST_CASE("the mailbox of a rank that has ended goes when all its peers know of it") {
  Mailboxes all;
  meet(all, Rank{0}, Rank{7});
  meet(all, Rank{1}, Rank{7});
  CHECK(all.end(Rank{7}) == std::vector<Rank>{Rank{0}, Rank{1}});
  CHECK(all.of(Rank{0}).gone == std::vector<Rank>{Rank{7}});
  all.part(Rank{0}, Rank{7});
  CHECK(all.size() == 3);
  all.part(Rank{1}, Rank{7});
  CHECK(all.size() == 2);
  CHECK(all.of(Rank{0}).peers.empty());
}

TEST_CASE("a packet to a dropped mailbox reports the end of its rank, each time") {
  Mailboxes all;
  CHECK(all.end(Rank{7}).empty());
  CHECK(all.of(Rank{7}).ended);
  for (int i = 0; i < 2; ++i) {
    meet(all, Rank{0}, Rank{7});
    CHECK(std::exchange(all.of(Rank{0}).gone, {}) == std::vector<Rank>{Rank{7}});
    all.part(Rank{0}, Rank{7});
  }
  CHECK(all.size() == 1);
}

TEST_CASE("a rank that has the place of one that has ended is another one") {
  Mailboxes all;
  all.end(Rank{7});
  auto const next = Rank{7 + 65'536};
  CHECK_FALSE(all.of(next).ended);
  all.end(next);
  CHECK(all.of(Rank{7}).ended);
  CHECK(all.of(next).ended);
}

TEST_CASE("two that end without knowing of each other leave nothing") {
  Mailboxes all;
  meet(all, Rank{3}, Rank{4});
  CHECK(all.end(Rank{4}) == std::vector<Rank>{Rank{3}});
  CHECK(all.end(Rank{3}).empty());
  CHECK(all.size() == 0);
}

TEST_CASE("what is kept of a rank is forgotten with its mailbox") {
  Mailboxes all;
  std::vector<Rank> dropped;
  all.when_dropped([&](Rank rank) { dropped.push_back(rank); });
  meet(all, Rank{0}, Rank{5});
  all.end(Rank{5});
  CHECK(dropped.empty());
  all.part(Rank{0}, Rank{5});
  CHECK(dropped == std::vector<Rank>{Rank{5}});
}

TEST_CASE("very many ranks, one after another, leave nothing") {
  constexpr int ranks = testing::times(1'000'000, 150'000);
  Mailboxes all;
  for (int rank = 1; rank <= ranks; ++rank) {
    meet(all, Rank{0}, Rank{rank});
    all.end(Rank{rank});
    all.of(Rank{0}).gone.clear();
    all.part(Rank{0}, Rank{rank});
  }
  CHECK(all.size() == 1);
  CHECK(all.of(Rank{0}).peers.empty());
}
