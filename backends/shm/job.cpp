// SPDX-License-Identifier: BSD-3-Clause
/// The half of the back end that lives in EXEC: it makes the job's memory and rings doors.
#include <vector>

#include "backends/shm/door.hpp"
#include "backends/shm/port.hpp"
#include "generic/base/error.hpp"
#include "generic/seams/backend.hpp"
#include "generic/system/processors.hpp"

namespace earl {

namespace shm {
namespace {

class ShmJob final : public PreparedJob {
 public:
  explicit ShmJob(JobFacts const& facts)
      : segment_(Segment::create(facts.capacity)), initial_(facts.initial) {
    Head& head = segment_.head();
    head.cpus = usable_processors();
    head.processes = facts.initial;
    // With more processes than CPUs there is a sleep for about every packet, and the fence belongs
    // where it is cheap.
    head.one_sided = facts.initial <= head.cpus && Fences::can_be_one_sided() ? 1 : 0;
  }

  std::vector<int> descriptors(Rank) override { return {segment_.descriptor()}; }

  void registered(Rank rank, std::int32_t) override {
    Door& door = segment_.door(checked(rank));
    if (state(door) != ProcessState::unborn) return;
    set_state(rank, ProcessState::living);
    if (index(rank) >= initial_) segment_.head().processes.fetch_add(1, std::memory_order_relaxed);
  }

  void notify_control(Rank rank) override {
    Door& door = segment_.door(checked(rank));
    door.control_notices.fetch_add(1, std::memory_order_release);
    fence();
    wake_if_asleep(door);
  }

  void ended(Rank rank) override {
    Door& door = segment_.door(checked(rank));
    const ProcessState before = state(door);
    if (before == ProcessState::ended) return;
    Head& head = segment_.head();
    if (before == ProcessState::living || index(rank) < initial_)
      head.processes.fetch_sub(1, std::memory_order_relaxed);
    head.awake.remove(door.awake_on);
    set_state(rank, ProcessState::ended);
    const std::uint32_t n = head.deaths.load(std::memory_order_relaxed);
    segment_.at<Shared<std::int32_t>>(segment_.layout().ended_list_entry(n))
        .store(number(rank), std::memory_order_relaxed);
    head.deaths.store(n + 1, std::memory_order_release);
    fence();
    // Others read it when they next look; only these may be waiting for this process.
    RankSet{segment_, segment_.layout().interest_set(rank)}.each(
        [&](Rank interested) { wake_if_asleep(segment_.door(interested)); });
  }

  bool reuses() const override { return true; }

  void named(Rank rank) override {
    if (segment_.layout().incarnation(rank) != 0) set_state(rank, ProcessState::unborn);
  }

  /// Once every living process has closed its rings to and from this one: it has taken in all
  /// packets from there, and from now on drops packets to there by itself.
  bool release(Rank rank) override {
    bool open = false;
    each_contact(rank, [&](Rank other) { open = open || holds(other, rank); });
    if (open) return false;
    each_contact(rank, [&](Rank other) {
      entry(rank, other).store(0, std::memory_order_relaxed);
      entry(other, rank).store(0, std::memory_order_relaxed);
    });
    auto const& layout = segment_.layout();
    if (layout.row_bytes >= page) segment_.punch(layout.row(rank), layout.row_bytes);
    segment_.free_runs_of(rank);
    for (auto const set :
         {layout.active_set(rank), layout.interest_set(rank), layout.contact_set(rank)})
      RankSet{segment_, set}.clear();
    Door& door = segment_.door(rank);
    door.sleeping.store(0, std::memory_order_relaxed);
    return true;
  }

  void wake_peers_for_release(Rank rank) override {
    fence();
    each_contact(rank, [&](Rank other) {
      if (holds(other, rank)) wake_if_asleep(segment_.door(other));
    });
  }

 private:
  static ProcessState state(Door const& door) {
    return state_in(door.state.load(std::memory_order_relaxed));
  }
  void set_state(Rank rank, ProcessState state) {
    segment_.door(rank).state.store(state_word(segment_.layout().incarnation(rank), state),
                                    std::memory_order_release);
  }
  template <class Visit>
  void each_contact(Rank rank, Visit const& visit) {
    RankSet{segment_, segment_.layout().contact_set(rank)}.each(visit);
  }
  Shared<std::uint32_t>& entry(Rank dest, Rank source) {
    return segment_.at<Shared<std::uint32_t>>(segment_.layout().directory_entry(dest, source));
  }
  /// Whether the process in that slot lives and has a ring open to or from `rank`.
  bool holds(Rank other, Rank rank) {
    if (state(segment_.door(other)) == ProcessState::ended) return false;
    return entry(rank, other).load(std::memory_order_acquire) != 0 ||
           entry(other, rank).load(std::memory_order_acquire) != 0;
  }
  Rank checked(Rank rank) const {
    EARL_CHECK(number(rank) >= 0, "rank {}", number(rank));
    return rank;
  }

  Segment segment_;
  std::uint32_t initial_;
};

std::unique_ptr<PreparedJob> prepare(JobFacts const& facts) {
  if (facts.initial == 0 || facts.initial > facts.capacity || facts.capacity > most_processes)
    throw Error(Fault::full, "shared memory can serve 1 to {} processes, not {} of {}",
                most_processes, facts.initial, facts.capacity);
  return std::make_unique<ShmJob>(facts);
}

std::unique_ptr<Port> join(std::span<int const> descriptors, Rank rank) {
  if (descriptors.size() != 1)
    throw Error("shared memory needs one descriptor from EXEC, not {}", descriptors.size());
  return std::make_unique<ShmPort>(Segment{descriptors[0]}, rank, PortSettings::from_environment());
}

}  // namespace
}  // namespace shm

extern Backend const shm_back_end;
Backend const shm_back_end{
    .name = "shm",
    .summary = "processes of one host, through shared memory",
    .prepare = shm::prepare,
    .join = shm::join,
    .forks = true,
    .packets_outlive_sender = true,
};

}  // namespace earl
