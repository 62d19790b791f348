// SPDX-License-Identifier: BSD-3-Clause
/// The memory of a job on the fabric: its switches, and for each process its waiting state and its
/// incoming packets. Without a name, so that nothing is left behind.
#pragma once

#include <atomic>
#include <cstdint>
#include <string>

#include "backends/myrinet/route.hpp"
#include "backends/myrinet/topology.hpp"
#include "generic/base/values.hpp"
#include "generic/system/awake.hpp"
#include "generic/system/doorbell.hpp"
#include "generic/system/shared_memory.hpp"

namespace earl::myrinet {

inline constexpr std::size_t cache_line = 64;
/// The buffer in which a host's interface keeps packets until its process takes them.
inline constexpr std::size_t queue_bytes = 256 * 1024;
/// The size of a packet, without its route and its sum: longer messages are cut, so that cables are
/// shared.
inline constexpr std::size_t largest_frame = 8 * 1024;

enum class ProcessState : std::uint32_t { unborn, living, ended };

struct MemoryHead {
  std::uint64_t magic = 0;
  std::uint32_t capacity = 0;
  std::uint32_t switches = 0;
  std::uint32_t ports = 0;   ///< of all switches
  std::uint32_t routed = 0;  ///< the routes of so many hosts are given; 0: they are to be found
  std::uint32_t cpus = 1;    ///< that the job may use
  std::uint32_t one_sided =
      0;  ///< not 0: a process about to sleep fences for all, senders need not
  alignas(cache_line) std::atomic<std::uint32_t> processes = 0;  ///< how many compete for the CPUs
  std::atomic<std::uint32_t> deaths = 0;  ///< ever written into the list of ended ranks, a circle
  AwakeTable awake{};
};

/// A place on the network, which processes have one after another, and its interface: found by the
/// low bits of a Rank. The sets of processes that wait for room are in Memory.
struct alignas(cache_line) HostRow : Doorbell {
  /// The incarnation of the newest process here times four, and its ProcessState; written by EXEC.
  std::atomic<std::uint32_t> state = 0;
  std::atomic<std::uint32_t> control_notices =
      0;                                    ///< how often EXEC has written to its control channel
  std::atomic<std::uint32_t> awake_on = 0;  ///< its row of MemoryHead::awake, from 1; 0: it sleeps
  Plug cabled_to{};
  std::int32_t unit = 0;  ///< of its boards
  char name[64] = {};
  alignas(cache_line) std::atomic<std::uint64_t> tail = 0;      ///< bytes that have come, ever
  alignas(cache_line) std::atomic<std::uint64_t> consumed = 0;  ///< bytes of them taken
  std::atomic<std::uint32_t> wanted = 0;                        ///< a sender waits for room
};

struct BoxRow {
  std::uint32_t first_port = 0;  ///< among all
  std::uint32_t ports = 0;
  char name[24] = {};
};

/// A port of a switch: the other end of its cable, and the packet that goes out by it. The holder
/// of the port writes the counters.
struct alignas(cache_line) PortRow {
  Plug to{};
  std::atomic<std::uint32_t> holder = 0;  ///< Rank + 1; 0: free
  std::atomic<std::uint64_t> packets = 0;
  std::atomic<std::uint64_t> bytes = 0;
  std::atomic<std::uint64_t> drops = 0;  ///< packets that ended here
  std::atomic<std::uint64_t> stops = 0;  ///< how often there was no room behind it, or in it
  std::atomic<std::uint64_t> sum_errors = 0;
  std::atomic<std::uint64_t> blocked = 0;  ///< nanoseconds that packets have stood here
  std::atomic<std::uint64_t> answers = 0;  ///< of the interface of the host there, to scouts
};

/// In front of each packet that has come. They begin at multiples of a cache line and never wrap.
struct ArrivalRow {
  std::uint32_t size = 0;  ///< of the frame that follows, or `padding`
  std::int32_t source = 0;
  std::uint32_t sum = 0;  ///< the CRC-8 it came with
  std::int32_t dest = 0;  ///< a Rank: its place may be another's by now
};
inline constexpr std::uint32_t padding = ~std::uint32_t{0};

class Memory {
 public:
  /// EXEC's. `routes`: from each host to all, or none. Hosts of the network that the job has no
  /// rank for stay dark. Throws Error when the
  /// system has no memory.
  Memory(std::uint32_t capacity, Topology const& topology, std::vector<Route> const& routes = {});
  /// A process's: takes the descriptor over. Throws Error when it is something else.
  explicit Memory(Descriptor memory);

  int descriptor() const { return memory_.descriptor(); }
  MemoryHead& head() { return *head_; }
  std::uint32_t capacity() const { return head_->capacity; }
  /// The number of deaths that the list of ended ranks has.
  std::uint32_t rows() const { return last_row_ + 1; }
  std::size_t slot(Rank rank) const { return index(rank) & last_row_; }
  /// It is or was a process of this job, or is to be one of its first.
  bool has(Rank rank) const;

  HostRow& host(Rank rank) { return hosts_[slot(rank)]; }
  ProcessState state(Rank rank) const;
  /// False: another has its place by now.
  bool set_living(Rank rank);
  std::byte* queue(Rank rank) { return queues_ + queue_bytes * slot(rank); }
  /// Makes sure that there is memory for packets to `rank`. Throws Error (no_memory).
  void reserve_queue(Rank rank);

  BoxRow const& box(std::uint32_t number) const { return boxes_[number]; }
  PortRow& port(std::uint32_t box, std::uint32_t port) {
    return ports_[boxes_[box].first_port + port];
  }
  PortRow& port(std::uint32_t number) { return ports_[number]; }
  /// The route that was given; null: it is to be found.
  Route const* given_route(Rank from, Rank to) const {
    auto const hosts = head_->routed;
    return slot(from) < hosts && slot(to) < hosts ? &routes_[slot(from) * hosts + slot(to)]
                                                  : nullptr;
  }
  /// The network again, as far as routes and texts for people need it.
  Topology topology();
  /// Where the cables of both are, for people.
  std::string cable_text(Rank me, Rank to);

  /// Says that `waiter` waits for room at `rank`.
  void wait_for_room(Rank rank, Rank waiter);
  /// Wakes the waiting ones, once.
  void wake_waiters(Rank rank);

  /// The rank that ended as the n-th; of the last rows() only.
  Rank dead(std::uint32_t n) const {
    return Rank{ended_list_[n & last_row_].load(std::memory_order_relaxed)};
  }
  /// Says that `rank` has ended, and takes its packets off the cables.
  void mark_ended(Rank rank);
  /// The place is that of `rank` from now on: the process that had it has ended, and nothing of it
  /// is left there but packets that are still on their way to it.
  void begin(Rank rank);

 private:
  void divide();
  std::uint32_t incarnation(Rank rank) const {
    return static_cast<std::uint32_t>(index(rank) / rows());
  }
  std::uint32_t state_word(Rank rank, ProcessState state) const {
    return incarnation(rank) << 2 | static_cast<std::uint32_t>(state);
  }
  std::atomic<std::uint64_t>* waiters(Rank rank) { return waiters_ + words_ * slot(rank); }

  SharedMemory memory_;
  MemoryHead* head_ = nullptr;
  HostRow* hosts_ = nullptr;
  BoxRow* boxes_ = nullptr;
  PortRow* ports_ = nullptr;
  Route* routes_ = nullptr;
  std::atomic<std::int32_t>* ended_list_ = nullptr;
  std::atomic<std::uint64_t>* waiters_ = nullptr;  ///< a bit for each host, for each host
  std::size_t words_ = 0;                          ///< of one such set
  std::uint32_t last_row_ = 0;
  std::byte* queues_ = nullptr;
};

}  // namespace earl::myrinet
