// SPDX-License-Identifier: BSD-3-Clause
#include "backends/net/port.hpp"

#include <sched.h>

#include <algorithm>

namespace earl::net {

namespace {

constexpr std::size_t most_per_poll = 64;
/// Looks between two at the clock, which costs as much as several of them.
constexpr int polls_per_time = 64;
constexpr std::uint32_t waits_per_yield = 32;
/// Silence after which peers are asked whether they have got everything.
constexpr std::chrono::milliseconds silence{50};
/// Likewise where losses are to be expected, and repaired.
constexpr std::chrono::microseconds short_silence{500};
/// The interval doubles up to this: a peer that is not scheduled, or computes, must not be flooded
/// with requests.
constexpr std::chrono::milliseconds long_silence{128};
/// Time limit for sent frames to leave this process.
constexpr std::chrono::seconds close_timeout{10};

}  // namespace

LinkPort::LinkPort(std::unique_ptr<Link> link, Rank me, WaitPolicy const& policy, OnLoss on_loss)
    : link_(std::move(link)),
      engine_(*link_, me, on_loss),
      waiter_(policy, link_->awake_entry()),
      silence_(short_silence) {}

Limits LinkPort::limits() const {
  return {.packet = engine_.largest_packet(), .eager = engine_.largest_packet()};
}

std::size_t LinkPort::poll(PacketSink& sink) { return engine_.progress(sink, most_per_poll); }

void LinkPort::wait(Deadline deadline) {
  if (engine_.take_room_event() || link_->ready()) return;
  bool const repairs = engine_.repairs() && engine_.unanswered();
  if (repairs && deadline != Deadline{}) deadline = std::min(deadline, Clock::now() + silence_);
  wait_idly(deadline);
  if (repairs) repair_if_silent();
}

void LinkPort::wait_idly(Deadline deadline) {
  if (deadline == Deadline{}) {
    // The awaited process may need its CPU.
    if (oversubscribed() || ++failed_waits_ % waits_per_yield == 0) ::sched_yield();
    return;
  }
  if (link_->woke_another()) waiter_.woke_another();
  if (!waiter_.await(deadline, {.looks = polls_per_time, .processes = link_->neighbours()},
                     [this](int) { return link_->ready(); }))
    sleep(deadline);
}

void LinkPort::repair_if_silent() {
  auto const now = Clock::now();
  if (link_->ready()) {
    silence_ = short_silence;
    next_question_ = now + silence_;
  }
  if (now < next_question_) return;
  engine_.remind();
  silence_ = std::min<std::chrono::nanoseconds>(2 * silence_, long_silence);
  next_question_ = now + silence_;
}

void LinkPort::sleep(Deadline deadline) {
  const Deadline until = !engine_.repairs() && engine_.unanswered()
                             ? std::min(deadline, Clock::now() + silence)
                             : deadline;
  bool const woken = waiter_.sleep(until, [&] {
    link_->sleep(until);
    return link_->last_ring();
  });
  if (!woken && until != deadline) engine_.remind();
}

/// Until no peer lacks anything: only this process knows, and can send it again.
void LinkPort::wait_for_repairs() {
  for (DiscardingSink sink; !engine_.all_is_there();)
    if (poll(sink) == 0) wait(never);
}

/// The receiver has said how much it has room for.
void LinkPort::start_direct_send(Rank to, Remote const& target, Bytes bytes) {
  auto const size = std::min<std::size_t>(bytes.size(), target.more);
  link_->start_direct_send(to, target.where, bytes.first(size));
}

void LinkPort::leave() {
  engine_.announce_end();
  if (engine_.repairs() || link_->facts().leaves_together) wait_for_repairs();
  link_->close(Clock::now() + close_timeout);
}

}  // namespace earl::net
