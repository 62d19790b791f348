// SPDX-License-Identifier: BSD-3-Clause
/// Rows of the id table, from one process to the next.
#include "exec/launcher/job/row_allocator.hpp"

#include <catch2/catch.hpp>

#include "tests/exec/launcher/job/job_parts.hpp"

using namespace earl;
using namespace earl::exec;

namespace {

/// Its rows can be used again once `free` is true.
class BackEndHalf final : public PreparedJob {
 public:
  explicit BackEndHalf(bool& free) : free_(free) {}
  std::vector<int> descriptors(Rank) override { return {}; }
  void notify_control(Rank) override {}
  void ended(Rank) override {}
  bool reuses() const override { return true; }
  bool release(Rank) override { return free_; }

 private:
  bool& free_;
};

struct RowAllocatorFixture final : JobParts, RowAllocator::Client {
  bool has_work_of(Rank) const override { return work; }
  void releasing(Child const& child) override { released.push_back(child.rank); }
  bool some_leave() const override { return leaves; }
  void room_changed() override { ++changes; }

  RowAllocatorFixture() { back_end.prepare(std::make_unique<BackEndHalf>(free)); }
  /// A process that has ended, which has been announced.
  Child& end_one() {
    auto& child = rows.allocate({.front_end = "nx"});
    child.phase = Phase::ended;
    rows.add(child);
    return child;
  }

  bool free = true;
  bool work = false;
  bool leaves = false;
  std::vector<Rank> released;
  int changes = 0;
  JobBackEnd back_end{loop};
  RowAllocator rows{{loop, children, roster, back_end, interceptors, 1, false}, *this};
};

}  // namespace

TEST_CASE("processes get their ranks in turn, and a record each") {
  RowAllocatorFixture job;
  auto& first = job.rows.allocate({.front_end = "nx"});
  auto& second = job.rows.allocate({.front_end = "nx"});
  CHECK(first.rank == Rank{0});
  CHECK(second.rank == Rank{1});
  CHECK(job.children.find(Rank{1}) == &second);
  CHECK(job.roster.has(Rank{1}));
}

TEST_CASE("a row is released when neither EXEC nor the back end needs it") {
  RowAllocatorFixture job;
  job.rows.allocate({.front_end = "nx"});
  auto const rank = job.end_one().rank;
  SECTION("a request waits") { job.work = true; }
  SECTION("the back end needs it") { job.free = false; }
  job.rows.release_some(1);
  CHECK(job.roster.has(rank));
  job.work = false;
  job.free = true;
  job.rows.release_some(1);
  CHECK(job.released == std::vector{rank});
  CHECK_FALSE(job.roster.has(rank));
  CHECK(job.children.find(rank) != nullptr);  // a caller may look at it until the next event
  job.loop.turn();
  CHECK(job.children.find(rank) == nullptr);
}

TEST_CASE("rows of first processes, guests, forked ones and partitions are never released") {
  RowAllocatorFixture job;
  job.end_one();  // the first process of the job
  auto& guest = job.rows.allocate({.front_end = "nx"});
  guest.origin = Origin::guest;
  auto& forked = job.rows.allocate({.front_end = "nx"});
  forked.origin = Origin::forked;
  auto& node = job.rows.allocate({.front_end = "nx", .partition = 1});
  for (auto* child : {&guest, &forked, &node}) {
    child->phase = Phase::ended;
    job.rows.add(*child);
  }
  job.rows.release_some(10);
  CHECK(job.released.empty());
}

TEST_CASE("a spawn waits for the row of a process that has ended, and not without one") {
  RowAllocatorFixture job;
  while (job.roster.room() > 1) job.rows.allocate({.front_end = "nx"});
  CHECK_FALSE(job.rows.awaits_room(2));
  job.free = false;
  job.end_one();
  CHECK(job.rows.awaits_room(1));
  while (job.changes == 0) job.loop.turn();
  job.free = true;
  CHECK_FALSE(job.rows.awaits_room(1));
  CHECK(job.released.size() == 1);
}

TEST_CASE("a spawn waits for the row of a process that is about to end") {
  RowAllocatorFixture job;
  while (job.roster.room() > 0) job.rows.allocate({.front_end = "nx"});
  job.leaves = true;
  CHECK(job.rows.awaits_room(1));
  job.leaves = false;
  CHECK_FALSE(job.rows.awaits_room(1));
}

namespace {

/// As in a replay: the next process is known.
class ReplayHalf final : public JobInterceptor {
 public:
  explicit ReplayHalf(Rank rank) : rank_(rank) {}
  std::optional<Rank> coming_rank(Rank) override { return rank_; }
  Rank choose_rank(Rank, Rank) override { return rank_; }

 private:
  Rank rank_;
};

}  // namespace

TEST_CASE("a spawn of a replay waits for the row of the recorded run, while others are free") {
  RowAllocatorFixture job;
  job.rows.allocate({.front_end = "nx"});
  auto const ended = job.end_one().rank;
  auto const again = Rank{number(ended) + static_cast<int>(job.roster.capacity())};
  job.interceptors.add(std::make_unique<ReplayHalf>(again));
  job.work = true;
  CHECK(job.rows.awaits_room(1));
  while (job.changes == 0) job.loop.turn();
  CHECK(job.rows.awaits_room(1));
  job.work = false;
  CHECK_FALSE(job.rows.awaits_room(1));
  CHECK(job.rows.allocate({.front_end = "nx"}).rank == again);
}
