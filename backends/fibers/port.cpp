// SPDX-License-Identifier: BSD-3-Clause
#include "backends/fibers/port.hpp"

#include <utility>

#include "backends/fibers/here.hpp"
#include "generic/base/error.hpp"

namespace earl::fibers {

namespace {

constexpr std::size_t largest_packet = 64 * 1024;
/// Longer messages are copied once, not twice.
constexpr std::size_t longest_eager = 8 * 1024;

}  // namespace

std::uint64_t Exposures::add(Rank sender, Bytes bytes) {
  open_.emplace(++last_, One{.bytes = bytes, .own = {}, .sender = sender});
  return last_;
}

Exposures::One* Exposures::find(std::uint64_t name) {
  auto const found = open_.find(name);
  return found == open_.end() ? nullptr : &found->second;
}

FiberPort::FiberPort(Scheduler& scheduler, Exposures& exposures, BoardTable& boards,
                     CommonMemory& common, Rank me)
    : FiberBoards(scheduler, boards, scheduler.mailbox(me), me),
      scheduler_(scheduler),
      exposures_(exposures),
      common_(common),
      me_(me),
      mine_(scheduler.mailbox(me)) {}

Limits FiberPort::limits() const {
  return {.packet = largest_packet,
          .eager = longest_eager,
          .remote_readable = true,
          .packets_outlive_sender = true,
          .fair_turns = true};
}

/// A receiver with much to take in gets one turn to do so. How long that takes says nothing, so
/// that a run does not depend on the time.
bool FiberPort::put(Rank to, Header const& header, Gather const& payload) {
  auto& box = mailbox(to);
  if (box.full() && !force_next_put_ && box.owner) {
    force_next_put_ = true;
    return false;
  }
  force_next_put_ = false;
  deliver(box, header, payload);
  return true;
}

bool FiberPort::keep(Rank to, Header const& header, Gather const& payload) {
  deliver(mailbox(to), header, payload);
  return true;
}

Mailbox& FiberPort::mailbox(Rank to) {
  if (to == last_to_) [[likely]]
    return *last_box_;
  scheduler_.mailboxes().introduce(mine_, me_, to);
  last_to_ = to;
  last_box_ = &scheduler_.mailbox(to);
  return *last_box_;
}

/// The end of `rank` has been reported here.
void FiberPort::remove(Rank rank) {
  if (rank == last_to_) last_to_ = no_rank, last_box_ = nullptr;
  scheduler_.mailboxes().part(me_, rank);
}

/// A message for a waiting rank is delivered at once if no earlier packet is queued: mostly into
/// the memory of a posted receive.
void FiberPort::deliver(Mailbox& box, Header const& header, Gather const& payload) {
  if (box.ended) return;
  scheduler_.count_packet();
  bool const whole = header.packet_kind() == Kind::eager && payload.contiguous();
  if (box.open && whole && box.empty()) {
    Scheduler::Taking const taking(scheduler_, box.owner);
    box.open->packet(header, payload.only());
    box.hand(sizeof header + payload.size());
  } else {
    box.add(header, payload);
  }
  if (box.owner) scheduler_.make_ready(*box.owner);
}

std::size_t FiberPort::poll(PacketSink& sink) {
  sink_ = &sink;
  mine_.owner_runs();
  std::size_t happened = mine_.empty() ? 0 : mine_.empty_into(sink);
  if (mine_.control_ready) [[unlikely]] {
    mine_.control_ready = false;
    ++happened;
    sink.on_control_ready();
  }
  if (!mine_.gone.empty() && mine_.empty()) [[unlikely]] {
    for (auto const rank : std::exchange(mine_.gone, {})) {
      sink.gone(rank);
      remove(rank);
      ++happened;
    }
  }
  return happened;
}

void FiberPort::wait(Deadline deadline) {
  if (std::exchange(mine_.woken, false)) return;
  if (force_next_put_ || deadline == Deadline{}) {
    scheduler_.yield();
  } else if (mine_.empty() && !mine_.control_ready && mine_.gone.empty() &&
             !mine_.awaited.there()) {
    // On its sender's turn a message cannot go to a thread-local variable of the program.
    mine_.open = mine_.owner->thread_locals.size == 0 ? sink_ : nullptr;
    scheduler_.wait(deadline);
    mine_.open = nullptr;
  }
  if (mine_.owner->pending_signals != 0) [[unlikely]]
    take_signals();
}

void FiberPort::wake() {
  mine_.woken = true;
  if (mine_.owner) scheduler_.make_ready(*mine_.owner);
}

Remote FiberPort::expose(TransferId, Bytes bytes) {
  const Remote remote{.where = exposures_.add(me_, bytes), .more = 0};
  if (mine_.owner->thread_locals.overlaps(bytes)) copy_exposed(remote);
  return remote;
}

bool FiberPort::copy_exposed(Remote const& remote) {
  auto* const one = exposures_.find(remote.where);
  if (!one) return true;
  one->own = Buffer(Gather{one->bytes});
  one->bytes = one->own.bytes();
  return true;
}

bool FiberPort::claimed(Remote const& remote) {
  auto const* const one = exposures_.find(remote.where);
  return !one || one->read;
}

void FiberPort::unexpose(Remote const& remote) { exposures_.remove(remote.where); }

Pulled FiberPort::pull(Rank from, Offer const& offer, Scatter const& to) {
  auto* const one = exposures_.find(offer.remote.where);
  if (!one || one->sender != from) return Pulled::gone;
  copy(one->bytes, to);
  one->read = true;
  if (scheduler_.mailbox(from).ended) exposures_.remove(offer.remote.where);
  return Pulled::done;
}

void mark_ended(Scheduler& scheduler, Rank rank) {
  for (auto const peer : scheduler.mailboxes().end(rank))
    if (auto* const owner = scheduler.mailbox(peer).owner) scheduler.make_ready(*owner);
}

}  // namespace earl::fibers
