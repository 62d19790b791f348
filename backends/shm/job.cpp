/// The half of the back end that lives in EXEC: it makes the job's memory and rings doors.
#include <vector>

#include "backends/shm/door.hpp"
#include "backends/shm/port.hpp"
#include "generic/backend.hpp"
#include "generic/error.hpp"
#include "generic/processors.hpp"

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

  void registered(Rank rank, std::int32_t unix_pid) override {
    Door& door = segment_.door(checked(rank));
    if (life(door) != Life::unborn) return;
    door.pid.store(unix_pid, std::memory_order_relaxed);
    door.life.store(static_cast<std::uint32_t>(Life::living), std::memory_order_release);
    if (index(rank) >= initial_) segment_.head().processes.fetch_add(1, std::memory_order_relaxed);
  }

  void knock(Rank rank) override {
    Door& door = segment_.door(checked(rank));
    door.knocks.fetch_add(1, std::memory_order_release);
    fence();
    wake_if_asleep(door);
  }

  void ended(Rank rank) override {
    Door& door = segment_.door(checked(rank));
    const Life before = life(door);
    if (before == Life::ended) return;
    Head& head = segment_.head();
    if (before == Life::living || index(rank) < initial_)
      head.processes.fetch_sub(1, std::memory_order_relaxed);
    door.life.store(static_cast<std::uint32_t>(Life::ended), std::memory_order_release);
    const std::uint32_t n = head.deaths.load(std::memory_order_relaxed);
    segment_.at<Shared<std::int32_t>>(segment_.layout().obituary_entry(n))
        .store(number(rank), std::memory_order_relaxed);
    head.deaths.store(n + 1, std::memory_order_release);
    fence();
    // Others read it when they next look; only these may be waiting for this process.
    RankSet{segment_, segment_.layout().interest_set(rank)}.each(
        [&](Rank interested) { wake_if_asleep(segment_.door(interested)); });
  }

 private:
  static Life life(Door const& door) {
    return static_cast<Life>(door.life.load(std::memory_order_relaxed));
  }
  Rank checked(Rank rank) const {
    EARL_CHECK(number(rank) >= 0 && index(rank) < segment_.layout().capacity, "rank {}",
               number(rank));
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
    .summary = "processes of one machine, through shared memory",
    .prepare = shm::prepare,
    .join = shm::join,
};

}  // namespace earl
