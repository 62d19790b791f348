// SPDX-License-Identifier: BSD-3-Clause
#include "backends/myrinet/memory.hpp"

#include <fcntl.h>

#include <algorithm>
#include <bit>
#include <cerrno>
#include <cstring>
#include <new>

#include "generic/base/error.hpp"
#include "generic/base/round_up.hpp"

namespace earl::myrinet {

namespace {

constexpr std::uint64_t memory_magic = 0x33'5952'4d4c'5241;  // "ARLMRY3"
constexpr std::size_t page = 4096;
constexpr std::string_view a_job = "a job on Earl's Myrinet";

/// Where things are: one behind the other.
struct Places {
  Places(std::size_t capacity, std::size_t switches, std::size_t all_ports, std::size_t routed)
      : words((capacity + 63) / 64),
        hosts(round_up(sizeof(MemoryHead), page)),
        ports(hosts + capacity * sizeof(HostRow)),
        boxes(ports + all_ports * sizeof(PortRow)),
        routes(round_up(boxes + switches * sizeof(BoxRow), cache_line)),
        ended_list(round_up(routes + routed * routed * sizeof(Route), cache_line)),
        waiters(round_up(ended_list + std::bit_ceil(capacity) * sizeof(std::int32_t), cache_line)),
        queues(round_up(waiters + capacity * words * sizeof(std::uint64_t), page)),
        end(queues + capacity * queue_bytes) {}

  std::size_t words;
  std::size_t hosts;
  std::size_t ports;
  std::size_t boxes;
  std::size_t routes;
  std::size_t ended_list;
  std::size_t waiters;
  std::size_t queues;
  std::size_t end;
};

Places places_of(MemoryHead const& head) {
  return {head.capacity, head.switches, head.ports, head.routed};
}

std::size_t ports_in(Topology const& topology) {
  std::size_t all = 0;
  for (auto const& box : topology.switches) all += box.ports.size();
  return all;
}

MemoryHead head_for(std::uint32_t capacity, Topology const& topology, bool routed) {
  return {.capacity = capacity,
          .switches = static_cast<std::uint32_t>(topology.switches.size()),
          .ports = static_cast<std::uint32_t>(ports_in(topology)),
          .routed = routed ? static_cast<std::uint32_t>(topology.hosts.size()) : 0};
}

template <std::size_t size>
void keep_name(char (&room)[size], std::string const& name) {
  std::memcpy(room, name.data(), std::min(size - 1, name.size()));
}

}  // namespace

Memory::Memory(std::uint32_t capacity, Topology const& topology, std::vector<Route> const& routes)
    : memory_("earl myrinet job", places_of(head_for(capacity, topology, !routes.empty())).end) {
  head_ = new (memory_.data()) MemoryHead(head_for(capacity, topology, !routes.empty()));
  divide();
  std::uint32_t first = 0;
  for (std::size_t i = 0; i < topology.switches.size(); ++i) {
    auto const& box = topology.switches[i];
    boxes_[i].first_port = first;
    boxes_[i].ports = static_cast<std::uint32_t>(box.ports.size());
    keep_name(boxes_[i].name, box.name);
    for (auto const& plug : box.ports) ports_[first++].to = plug;
  }
  for (std::size_t i = 0; i < topology.hosts.size() && i < capacity; ++i) {
    hosts_[i].cabled_to = topology.hosts[i].cabled_to;
    hosts_[i].unit = topology.hosts[i].unit;
    keep_name(hosts_[i].name, topology.hosts[i].name);
  }
  std::copy(routes.begin(), routes.end(), routes_);
  head_->magic = memory_magic;
}

Memory::Memory(Descriptor memory) : memory_(std::move(memory), page, a_job) {
  head_ = reinterpret_cast<MemoryHead*>(memory_.data());
  if (head_->magic != memory_magic || places_of(*head_).end != memory_.size())
    memory_.refuse(a_job);
  divide();
}

/// Fresh memory is zero, the initial value of all these.
void Memory::divide() {
  auto const at = places_of(*head_);
  auto* const start = memory_.data();
  words_ = at.words;
  hosts_ = reinterpret_cast<HostRow*>(start + at.hosts);
  ports_ = reinterpret_cast<PortRow*>(start + at.ports);
  boxes_ = reinterpret_cast<BoxRow*>(start + at.boxes);
  routes_ = reinterpret_cast<Route*>(start + at.routes);
  ended_list_ = reinterpret_cast<std::atomic<std::int32_t>*>(start + at.ended_list);
  waiters_ = reinterpret_cast<std::atomic<std::uint64_t>*>(start + at.waiters);
  queues_ = start + at.queues;
  last_row_ = std::bit_ceil(capacity()) - 1;
}

bool Memory::has(Rank rank) const {
  return number(rank) >= 0 && slot(rank) < capacity() &&
         hosts_[slot(rank)].state.load(std::memory_order_acquire) >> 2 >= incarnation(rank);
}

ProcessState Memory::state(Rank rank) const {
  auto const word = hosts_[slot(rank)].state.load(std::memory_order_acquire);
  if (word >> 2 == incarnation(rank)) return static_cast<ProcessState>(word & 3);
  return word >> 2 < incarnation(rank) ? ProcessState::unborn : ProcessState::ended;
}

bool Memory::set_living(Rank rank) {
  auto unborn = state_word(rank, ProcessState::unborn);
  return host(rank).state.compare_exchange_strong(unborn, state_word(rank, ProcessState::living));
}

void Memory::begin(Rank rank) {
  HostRow& row = host(rank);
  row.sleeping.store(0);
  row.control_notices.store(0);
  row.awake_on.store(0);
  row.consumed.store(row.tail.load());
  row.state.store(state_word(rank, ProcessState::unborn));
  wake_waiters(rank);
}

void Memory::reserve_queue(Rank rank) {
  auto const at = static_cast<off_t>(queue(rank) - memory_.data());
  int failure = 0;
  do {
    failure = ::posix_fallocate(memory_.descriptor(), at, queue_bytes);
  } while (failure == EINTR);
  if (failure != 0)
    throw Error(Fault::no_memory, "no memory for packets to process {}: {}", number(rank),
                system_message(failure));
}

Topology Memory::topology() {
  Topology all;
  for (std::uint32_t i = 0; i < head_->switches; ++i) {
    SwitchBox box{.name = boxes_[i].name};
    for (std::uint32_t n = 0; n < boxes_[i].ports; ++n) box.ports.push_back(port(i, n).to);
    all.switches.push_back(std::move(box));
  }
  for (std::uint32_t i = 0; i < capacity(); ++i)
    all.hosts.push_back(
        {.name = hosts_[i].name, .unit = hosts_[i].unit, .cabled_to = hosts_[i].cabled_to});
  return all;
}

std::string Memory::cable_text(Rank me, Rank to) {
  auto const all = topology();
  auto const name = [&](Rank rank) { return all.text_for(host(rank).cabled_to); };
  return has(to) ? fmt::format("its cable is at {}, mine at {}", name(to), name(me))
                 : fmt::format("my cable is at {}", name(me));
}

void Memory::wait_for_room(Rank rank, Rank waiter) {
  waiters(rank)[slot(waiter) / 64].fetch_or(std::uint64_t{1} << slot(waiter) % 64);
  host(rank).wanted.store(1);
}

void Memory::wake_waiters(Rank rank) {
  if (host(rank).wanted.load(std::memory_order_relaxed) == 0) return;
  host(rank).wanted.store(0);
  for (std::size_t word = 0; word < words_; ++word) {
    auto& set = waiters(rank)[word];
    if (set.load(std::memory_order_relaxed) == 0) continue;
    for (auto bits = set.exchange(0); bits != 0; bits &= bits - 1)
      wake_if_asleep(host(Rank{static_cast<std::int32_t>(
          word * 64 + static_cast<std::size_t>(std::countr_zero(bits)))}));
  }
}

void Memory::mark_ended(Rank rank) {
  if (state(rank) == ProcessState::ended) return;
  for (std::uint32_t i = 0; i < head_->ports; ++i) {
    auto dead = static_cast<std::uint32_t>(number(rank)) + 1;
    ports_[i].holder.compare_exchange_strong(dead, 0);
  }
  head_->awake.remove(host(rank).awake_on);
  host(rank).state.store(state_word(rank, ProcessState::ended), std::memory_order_release);
  auto const n = head_->deaths.load(std::memory_order_relaxed);
  ended_list_[n & last_row_].store(number(rank), std::memory_order_relaxed);
  head_->deaths.store(n + 1, std::memory_order_release);
  fence();
  for (std::uint32_t i = 0; i < capacity(); ++i)
    if ((hosts_[i].state.load(std::memory_order_relaxed) & 3) ==
        static_cast<std::uint32_t>(ProcessState::living))
      wake_if_asleep(hosts_[i]);
}

}  // namespace earl::myrinet
