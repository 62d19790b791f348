// SPDX-License-Identifier: BSD-3-Clause
#include "generic/engine.hpp"

#include <cstdlib>

namespace earl {

Engine::Engine(ProcessParts parts, Call const& call)
    : rank_(parts.rank),
      first_sequence_(parts.first_sequence),
      call_(call),
      table_(parts.table),
      port_(std::move(parts.port)),
      mover_(mover_of(port_.get())),
      limits_(port_->limits()),
      exec_(*this, std::move(parts.executive), call),
      flow_(table_) {}

void Engine::stop(int exit_code, std::string_view sentence) {
  exec_.executive().report_failure(exit_code, sentence);
  exec_.executive().quit(exit_code);
  std::abort();
}

Interceptor* Engine::watch(std::unique_ptr<Interceptor> debugger) {
  // One debugger is asked directly, several through the stack that knows their order.
  Interceptor* const newest = debugger.get();
  debuggers_.add(std::move(debugger));
  watch_ = watch_ ? &debuggers_ : newest;
  steered_ = watch_->steers();
  return watch_;
}

Channel& Engine::new_channel(Rank rank) {
  Channel& channel = channels_.add(rank);
  channel.sent = channel.arrived = first_sequence_;
  if (auto const before = sent_before_.find(number(rank)); before != sent_before_.end())
    channel.sent = before->second;
  return channel;
}

void Engine::close_channel(Channel& channel) {
  past_traffic_ += channel.put + channel.got;
  waiting_packets_ -= channel.outbox.size();
  flow_.closed(channel);
  if (watch_ && channel.sent != 0) sent_before_[number(channel.peer)] = channel.sent;
  channels_.remove(channel);
}

std::size_t Engine::progress() {
  const std::size_t happened = pump();
  run_due_handlers();
  return happened;
}

std::size_t Engine::pump() {
  std::size_t happened = port_->poll(*this);
  if (waiting_packets_ != 0) [[unlikely]]
    happened += flush_outboxes();
  if (!pushing_.empty()) [[unlikely]]
    happened += push_pieces();
  if (happened == 0 && exec_.has_messages()) [[unlikely]]
    happened += exec_.deliver_messages();
  return happened;
}

void Engine::idle() {
  if (exec_.executive().exec_may_exit_first()) exec_.poll();
  if (progress() == 0) port_->wait(Deadline{});
}

void Engine::gone(Rank rank) {
  if (Channel* const channel = channels_.find(rank)) close_channel(*channel);
  while (auto* const one = incoming_from(rank)) {
    Request* const request = one->request;
    if (!request) {  // a part of a message without a receive: the rest will not come
      incoming_.erase(incoming_.begin() + (one - incoming_.data()));
      continue;
    }
    const Offer offer = one->offer;
    // It could not be read while the sender lived, but that may have put a copy aside since.
    bool const there = port_->pull(rank, offer, request->room) == Pulled::done;
    fetched(*request, rank, offer, there);
    repost_if_unmatched(*request);
  }
  transfers_.each([&](Transfer& transfer) {
    if (transfer.dest == rank) finish(transfer, true);
  });
  if (limits_.exposes && !waits_for_readers()) fetch_offers(rank);
}

void Engine::on_control_ready() { exec_.poll(); }

Tag Engine::collective_tag(Context context) {
  return Tag{
      static_cast<std::int32_t>(collectives_[static_cast<std::uint64_t>(context)]++ & 0x3fff'ffff)};
}

void Engine::leave() {
  if (left_) return;
  if (handlers_.in_use()) progress();
  left_ = true;
  transfers_.each([&](Transfer& transfer) {
    if (!transfer.exposed)
      push(transfer);
    else if (!transfer.settled)
      release_buffer(transfer);
  });
  // A back end that keeps nothing: stay until every message has been accepted or its receiver is
  // gone. A process that waits for this one's end need not wait for that.
  auto free_to_go = [&] {
    return waiting_packets_ == 0 && pushing_.empty() && (limits_.exposes || open_transfers_ == 0);
  };
  if (!free_to_go() || limits_.lingers) exec_.executive().leaving();
  wait_until(free_to_go, {.kind = OpKind::send});
  if (watch_) watch_->ended(unexpected_.user_messages());
  port_->leave();
  exec_.executive().goodbye();
}

}  // namespace earl
