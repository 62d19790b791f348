// SPDX-License-Identifier: BSD-3-Clause
/// The receiving half of the fabric, and its waiting.
#include <algorithm>

#include "backends/myrinet/crc8.hpp"
#include "backends/myrinet/fabric.hpp"
#include "generic/base/error.hpp"

namespace earl::myrinet {

std::size_t FabricLink::progress(net::FrameSink& sink, std::size_t most) {
  std::size_t events = 0;
  auto const before = consumed_;
  while (events < most && take(sink)) ++events;
  if (consumed_ != before) publish();
  if (notices_.take_control_notice()) {
    ++events;
    sink.on_control_ready();
  }
  if (notices_.has_deaths()) [[unlikely]]
    observe_deaths();
  if (!dying_.empty()) [[unlikely]]
    events += report_ends(sink);
  return events;
}

/// Hands over the next packet, if there is one.
bool FabricLink::take(net::FrameSink& sink) {
  while (row_.tail.load(std::memory_order_acquire) != consumed_) {
    auto const at = consumed_ % queue_bytes;
    ArrivalRow arrival;
    std::memcpy(&arrival, queue_ + at, sizeof arrival);
    if (arrival.size == padding) {
      consumed_ += queue_bytes - at;
      continue;
    }
    const Rank source{arrival.source};
    if (arrival.size > largest_frame || sizeof arrival + arrival.size > queue_bytes - at ||
        !memory_->has(source))
      throw Error("the data received for process {} is no packet; the job's memory is damaged",
                  number(me_));
    const Bytes frame{queue_ + at + sizeof arrival, arrival.size};
    consumed_ += (sizeof arrival + arrival.size + cache_line - 1) / cache_line * cache_line;
    if (was_for_another(arrival)) continue;
    note_sender(source);
    Crc8 sum;
    sum.add(bytes_of(arrival.source));
    sum.add(frame);
    if (sum.value() == arrival.sum)
      sink.frame(source, frame);
    else
      refuse(sink, arrival, sum.value());
    return true;
  }
  return false;
}

void FabricLink::refuse(net::FrameSink& sink, ArrivalRow const& arrival, std::uint8_t sum) {
  if (auto const& [end, box, port] = row_.cabled_to; end == End::a_switch)
    memory_->port(box, port).sum_errors.fetch_add(1, std::memory_order_relaxed);
  sink.damaged(
      fmt::format("a packet of process {} came damaged: its CRC is {:02x}, that of the received "
                  "packet {:02x} ({})",
                  arrival.source, arrival.sum, sum, route_description(Rank{arrival.source})));
}

/// The room is free again.
void FabricLink::publish() {
  row_.consumed.store(consumed_, std::memory_order_release);
  fence();  // pairs with the one in sleep(): room and flag here, flag and room there
  memory_->wake_waiters(me_);
}

/// It was on its way when the process before this one had ended, or as the memory says.
bool FabricLink::was_for_another(ArrivalRow const& arrival) const {
  const Rank dest{arrival.dest};
  return dest != me_ && number(dest) >= 0 && memory_->slot(dest) == memory_->slot(me_);
}

/// This process may have fallen behind: then the list of ended ranks does not have it any more.
void FabricLink::note_sender(Rank source) {
  if (peers_.find(source) || source == me_) [[likely]]
    return;
  if (is_down(source))
    observe_death(source);
  else
    peer(source);
}

void FabricLink::observe_deaths() {
  notices_.read_deaths(
      *memory_, [this](Rank rank) { observe_death(rank); },
      [this] {
        for (auto const& known : peers_)
          if (is_down(known->rank)) observe_death(known->rank);
      });
}

/// All that it has sent is here by now.
void FabricLink::observe_death(Rank rank) {
  if (rank == me_ || !memory_->has(rank) || std::exchange(peer(rank).end_noticed, true)) return;
  dying_.push_back({rank, row_.tail.load(std::memory_order_acquire)});
}

std::size_t FabricLink::report_ends(net::FrameSink& sink) {
  std::size_t events = 0;
  for (; !dying_.empty() && dying_.front().last <= consumed_; ++events) {
    const Rank rank = dying_.front().rank;
    dying_.pop_front();
    std::erase(full_, rank);
    peers_.remove(peer(rank));
    sink.down(rank, {});
  }
  return events;
}

bool FabricLink::ready() {
  if (row_.tail.load(std::memory_order_acquire) != consumed_) return true;
  return notices_.pending() || !dying_.empty() || woken_.load(std::memory_order_relaxed) ||
         std::exchange(blocked_, false) || peer_has_room();
}

/// Signals room once; a send() that then fails asks again.
bool FabricLink::peer_has_room() {
  for (const Rank to : full_) {
    HostRow const& host = memory_->host(to);
    // The largest packet, and the bytes that it may have to skip.
    constexpr auto needed = 2 * (largest_frame + sizeof(ArrivalRow) + cache_line);
    auto const used =
        host.tail.load(std::memory_order_relaxed) - host.consumed.load(std::memory_order_acquire);
    if (!is_down(to) && used + needed > queue_bytes) continue;
    peer(to).full = false;
    std::erase(full_, to);
    return true;
  }
  return false;
}

void FabricLink::sleep(Deadline deadline) {
  for (const Rank to : full_) memory_->wait_for_room(to, me_);
  last_ring_ = sleep_at(row_, sleep_, fences_, deadline, [this] { return ready(); });
  woken_.store(false, std::memory_order_relaxed);
}

void FabricLink::wake() {
  woken_.store(true, std::memory_order_relaxed);
  ring_bell(row_);
}

}  // namespace earl::myrinet
