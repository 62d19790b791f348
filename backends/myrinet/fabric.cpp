// SPDX-License-Identifier: BSD-3-Clause
/// The sending half: a packet's way through the switches.
#include "backends/myrinet/fabric.hpp"

#include <sched.h>

#include <algorithm>
#include <array>

#include "backends/myrinet/crc8.hpp"
#include "generic/base/error.hpp"
#include "generic/system/waiting.hpp"

namespace earl::myrinet {

namespace {

/// Polls of a port that another packet goes through, before the CPU is yielded; copying a packet
/// takes that long.
constexpr int looks = 200;
constexpr int yields = 20;

constexpr std::uint64_t record_bytes(std::size_t frame) {
  return (sizeof(ArrivalRow) + frame + cache_line - 1) / cache_line * cache_line;
}

HostRow& row_of(Memory& memory, Rank me) {
  if (!memory.has(me))
    throw Error("process {} has no place in a job of at most {} processes; install Earl again",
                number(me), memory.capacity());
  return memory.host(me);
}

void count(std::atomic<std::uint64_t>& counter, std::uint64_t more = 1) {
  counter.store(counter.load(std::memory_order_relaxed) + more, std::memory_order_relaxed);
}

}  // namespace

/// The ports that a packet holds, until its tail is through.
class FabricLink::Held {
 public:
  explicit Held(Rank me) : me_(static_cast<std::uint32_t>(number(me)) + 1) {}
  Held(Held const&) = delete;
  Held& operator=(Held const&) = delete;
  ~Held() {
    while (count_ > 0) ports_[--count_]->holder.store(0, std::memory_order_release);
  }

  /// False: another packet goes through.
  bool take(PortRow& port) {
    if (take_now(port)) [[likely]]
      return true;
    auto const since = Clock::now();
    bool const taken = wait_for(port);
    port.blocked.fetch_add(static_cast<std::uint64_t>((Clock::now() - since).count()),
                           std::memory_order_relaxed);
    return taken;
  }
  void count_packet(std::uint64_t bytes) {
    for (std::size_t i = 0; i < count_; ++i) {
      count(ports_[i]->packets);
      count(ports_[i]->bytes, bytes);
    }
  }
  void count_stop() {
    if (count_ > 0) count(ports_[count_ - 1]->stops);
  }

 private:
  bool take_now(PortRow& port) {
    std::uint32_t free = 0;
    if (port.holder.load(std::memory_order_relaxed) != 0 ||
        !port.holder.compare_exchange_strong(free, me_, std::memory_order_acquire))
      return false;
    ports_[count_++] = &port;
    return true;
  }
  bool wait_for(PortRow& port) {
    for (int yielded = 0; yielded < yields; ++yielded, ::sched_yield())
      for (int i = 0; i < looks; ++i, relax())
        if (take_now(port)) return true;
    return false;
  }

  std::uint32_t const me_;
  std::array<PortRow*, most_switches_on_the_way> ports_{};
  std::size_t count_ = 0;
};

FabricLink::FabricLink(std::shared_ptr<Memory> memory, Rank me, FaultInjection const& fault)
    : memory_(std::move(memory)),
      me_(me),
      row_(row_of(*memory_, me)),
      queue_(memory_->queue(me)),
      fault_(fault),
      consumed_(row_.consumed.load()),
      notices_(row_.control_notices, memory_->head().deaths, memory_->rows()),
      fences_(memory_->head().one_sided != 0) {}

FabricLink::Peer& FabricLink::peer(Rank rank) {
  if (auto* const known = peers_.find(rank)) [[likely]]
    return *known;
  EARL_CHECK(memory_->has(rank) && rank != me_, "rank {} seen from rank {}", number(rank),
             number(me_));
  // It has not been started yet, and gets its first packets all the same.
  if (memory_->state(rank) == ProcessState::unborn) memory_->reserve_queue(rank);
  return peers_.add(rank);
}

Route const& FabricLink::route_to(Rank rank) {
  Peer& known = peer(rank);
  if (!known.route) [[unlikely]] {
    if (auto const* given = memory_->given_route(me_, rank)) return known.route.emplace(*given);
    if (!topology_) topology_ = memory_->topology();
    if (!routes_) routes_ = std::make_unique<Routes>(*topology_);
    known.route = routes_->find(static_cast<std::uint32_t>(memory_->slot(me_)),
                                static_cast<std::uint32_t>(memory_->slot(rank)));
  }
  return *known.route;
}

bool FabricLink::is_down(Rank peer) {
  return memory_->has(peer) && memory_->state(peer) == ProcessState::ended;
}

bool FabricLink::send(Rank to, Gather const& frame) {
  EARL_CHECK(frame.size() <= largest_frame, "a frame of {} bytes", frame.size());
  if (is_down(to)) return true;
  Crc8 sum;
  Route const& route = route_to(to);
  for (auto const byte : route.bytes()) sum.add(std::byte{byte});
  sum.add(bytes_of(number(me_)));
  for (auto const& piece : frame.list()) sum.add(piece);
  Packet const packet{.route = route,
                      .to = to,
                      .frame = frame,
                      .sum = sum.value(),
                      .behind = sizeof number(me_) + frame.size()};
  auto const outcome = fault_.strikes(me_, sent_) ? walk_with_fault(packet) : walk(packet);
  if (outcome == Outcome::no_room || outcome == Outcome::port_held)
    return came_to_nothing(outcome, to);
  ++sent_;
  if (Peer& known = peer(to); known.full) [[unlikely]] {
    known.full = false;
    std::erase(full_, to);
  }
  return true;
}

bool FabricLink::came_to_nothing(Outcome outcome, Rank to) {
  if (outcome == Outcome::port_held) {
    blocked_ = true;
  } else if (Peer& dest = peer(to); !dest.full) {
    dest.full = true;
    full_.push_back(to);
  }
  return false;
}

FabricLink::Outcome FabricLink::walk(Packet packet) {
  Held held{me_};
  Plug at = row_.cabled_to;
  auto left = packet.route.size();
  for (auto const byte : packet.route.bytes()) {
    if (at.end != End::a_switch) return Outcome::lost;
    auto const out = port_out(at.port, byte);
    if (out >= memory_->box(at.number).ports) return Outcome::lost;
    PortRow& port = memory_->port(at.number, out);
    if (!held.take(port)) return Outcome::port_held;
    packet.sum = Crc8::without_first(static_cast<std::uint8_t>(packet.sum), std::byte{byte},
                                     packet.behind + --left);
    if (port.to.end == End::nothing) {
      count(port.drops);
      return Outcome::lost;
    }
    at = port.to;
  }
  if (at.end != End::a_host || at.number >= memory_->capacity()) return Outcome::lost;
  const Rank to{static_cast<std::int32_t>(at.number)};
  auto const outcome = deliver(memory_->host(to), memory_->queue(to), packet);
  if (outcome == Outcome::no_room)
    held.count_stop();
  else
    held.count_packet(packet.behind);
  return outcome;
}

/// The last port is held: no other process puts packets there now.
FabricLink::Outcome FabricLink::deliver(HostRow& host, std::byte* queue, Packet const& packet) {
  auto tail = host.tail.load(std::memory_order_relaxed);
  auto const size = record_bytes(packet.frame.size());
  auto const rest = queue_bytes - tail % queue_bytes;
  auto const skipped = size > rest ? rest : 0;
  if (tail + skipped + size - host.consumed.load(std::memory_order_acquire) > queue_bytes)
    return Outcome::no_room;
  if (skipped != 0) {
    new (queue + tail % queue_bytes) ArrivalRow{.size = padding};
    tail += skipped;
  }
  std::byte* const place = queue + tail % queue_bytes;
  new (place) ArrivalRow{.size = static_cast<std::uint32_t>(packet.frame.size()),
                         .source = number(me_),
                         .sum = packet.sum,
                         .dest = number(packet.to)};
  copy(packet.frame, MutableBytes{place + sizeof(ArrivalRow), packet.frame.size()});
  host.tail.store(tail + size, std::memory_order_release);
  fences_.own();
  if (wake_if_asleep(host)) [[unlikely]]
    woke_another_ = true;
  return Outcome::there;
}

/// Applies the network's faults to a packet.
FabricLink::Outcome FabricLink::walk_with_fault(Packet packet) {
  switch (fault_.kind) {
    case FaultInjection::Kind::cut:
      throw Error("the cable of process {} ({}) is cut: nothing goes through", number(me_),
                  memory_->topology().text_for(row_.cabled_to));
    case FaultInjection::Kind::flip: {
      Buffer damaged{packet.frame};
      damaged.data()[damaged.size() / 2] ^= std::byte{4};
      Gather const frame{damaged.bytes()};
      return walk({packet.route, packet.to, frame, packet.sum, packet.behind});
    }
    case FaultInjection::Kind::route: {
      Route other;
      for (auto const byte : packet.route.bytes())
        other.append(static_cast<std::uint8_t>(other.size() == 0 ? byte + 1 : byte));
      packet.route = other;
      return walk(packet);
    }
    case FaultInjection::Kind::lose:
    case FaultInjection::Kind::leak:
    case FaultInjection::Kind::none:
      break;
  }
  return Outcome::lost;
}

}  // namespace earl::myrinet
