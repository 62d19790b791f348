// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <csignal>

#include "exec/launcher/job/job.hpp"

namespace earl::exec {

namespace {

constexpr std::size_t most_name = sizeof(IdRow::front_end) - 1;

}  // namespace

void Job::said_hello(Child& child, control::Hello const& hello) {
  if (hello.packets != packet_version)
    throw Error("a hello for version {} of Earl's packets (this is {})", hello.packets,
                packet_version);
  if (hello.front_end.empty() || hello.front_end.size() > most_name)
    throw Error("a hello of a front end whose name has {} bytes", hello.front_end.size());
  if (child.elsewhere) {
    child.registered_pid = std::max(hello.unix_pid, 1);
    if (child.front_end.empty()) child.front_end = hello.front_end;
    return registered(child, hello.front_end);
  }
  bool const started = !child.guest && !child.forked;
  child.registered_pid = child.speaker != 0 && started ? child.speaker : child.pid;
  if (child.registered_pid != child.pid)
    child.registered_handle =
        Descriptor(static_cast<int>(::syscall(SYS_pidfd_open, child.registered_pid, 0)));
  if (child.front_end.empty()) child.front_end = hello.front_end;
  registered(child, hello.front_end);
}

void Job::registered(Child& child, std::string_view front_end) {
  roster_->learn_front_end(child.rank, front_end);
  roster_->set_pid(child.rank, child.registered_pid);
  roster_->set_life(child.rank, Life::registered);
  prepared_->registered(child.rank, child.registered_pid);
}

void Job::wrote(Child& child) {
  prepared_->notify_control(child.rank);
  if (!told_.empty()) tell_soon();
}

void Job::asked(Child& child, control::Message message) {
  // Its earlier output precedes the messages that others get by this.
  if (child.told) output_.look(child.writer);
  waiting_.push_back({.from = child.rank, .message = std::move(message)});
  serve_waiting();
  // Also when it has to wait: it may wait for another rank's action.
  if (child.rank_channel) child.rank_channel->heard();
}

/// A debugger that cannot go on (a full disk) ends the job, with its sentence.
void Job::give_up(Error const& error) {
  say(error.what());
  end(1, SIGTERM);
}

void Job::distrusted(Child& child, std::string_view why) {
  ++dropped_;
  say(fmt::format("{} wrote {} into its control channel, which is closed now", describe(child),
                  why));
  // A visitor is not waited for.
  if (child.guest && (session_server_ || child.console)) return guest_ended(child);
  if (!child.rank_channel) return wrote(child);  // so that it is notified when it sleeps
  child.rank_channel->signal(child.rank, SIGKILL);
  child.rank_channel->heard();
}

bool Job::may_serve(Request const& request) {
  return !awaits_room(request) && std::ranges::all_of(interceptors_, [&](auto const& interceptor) {
    return interceptor->may_serve(request.from, request.message.operation);
  });
}

bool Job::may_tell(Death const& death) {
  return std::ranges::all_of(interceptors_, [&](auto const& interceptor) {
    return interceptor->may_tell_death(death.rank);
  });
}

/// Takes in the allowed output, deaths and then requests, oldest first; each may allow an older
/// one.
void Job::serve_waiting() {
  if (serving_) return;
  serving_ = true;
  try {
    while (tell_next_output() || tell_next() || serve_next() || gives_up()) {
    }
  } catch (Error const& error) {
    give_up(error);
  }
  serving_ = false;
}

/// False: no death may be announced now.
bool Job::tell_next() {
  auto const next =
      std::ranges::find_if(deaths_, [&](auto const& death) { return may_tell(death); });
  if (next == deaths_.end()) return false;
  auto const death = *next;
  deaths_.erase(next);
  auto& child = child_at(death.rank);
  child.death_told = true;
  for (auto const& interceptor : interceptors_) interceptor->died(death.rank, death.wait_status);
  for (auto* service : services_) service->died(death.rank, death.wait_status);
  release_soon(child);
  return true;
}

/// False: it is as it was.
bool Job::gives_up() {
  if (deaths_.empty()) return false;
  std::vector<Rank> dead;
  for (auto const& death : deaths_) dead.push_back(death.rank);
  return std::ranges::any_of(interceptors_,
                             [&](auto const& interceptor) { return interceptor->gives_up(dead); });
}

/// False: none of those that wait may be served now.
bool Job::serve_next() {
  auto const next = std::ranges::find_if(waiting_, [&](auto const& r) { return may_serve(r); });
  if (next == waiting_.end()) return false;
  auto const request = std::move(*next);
  waiting_.erase(next);
  serve(request);
  return true;
}

void Job::serve(Request const& request) {
  auto& child = child_at(request.from);
  auto const& [type, ticket, operation, body] = request.message;
  for (auto const& interceptor : interceptors_)
    interceptor->served(request.from, operation, body.bytes());
  try {
    take_in({.to = request.from, .ticket = ticket, .operation = operation}, body.bytes());
  } catch (Error const& error) {
    child.distrusted = true;
    channels_.close(child);
    distrusted(child, error.what());
  }
}

/// Every process operation is a case here. Some answer at once, others when they can.
void Job::take_in(PendingReply const& reply, Bytes body) {
  auto& child = child_at(reply.to);
  Reader from(body);
  switch (static_cast<Operation>(reply.operation)) {
    case Operation::spawn:
      return answer_when_started(reply, spawn(child, SpawnRequest::read(from)));
    case Operation::signal:
      return answer(reply, signal(SignalRequest::read(from)));
    case Operation::status:
      return answer(reply, status(Rank{from.i32()}));
    case Operation::calls:
      return look_up_calls(reply, Rank{from.i32()});
    case Operation::allocate:
      return answer(reply, partitions_->allocate(child.rank, AllocateRequest::read(from)));
    case Operation::attach:
      return answer(reply, partitions_->attach(child.rank, AttachRequest::read(from)));
    case Operation::release:
      return answer(reply, release(Places::read(from).partition));
    case Operation::partitions:
      return answer(reply, partitions_->list());
    case Operation::reserve:
      return answer(reply, reserve_places(Places::read(from)));
    case Operation::load:
      return answer(reply, load(child, LoadRequest::read(from)));
    case Operation::adopt:
      return answer(reply, adopt(child, AdoptRequest::read(from)));
    case Operation::unhold:
      return answer(reply, unhold(Places::read(from)));
    case Operation::end_processes:
      return answer(reply, end_processes(Places::read(from)));
    case Operation::wait_one:
      return waits_.one(reply, Places::read(from));
    case Operation::wait_all:
      return waits_.all(reply, Places::read(from));
    default:
      if (named_services_.serve(reply, from)) return;
      throw Error("a request for the unknown operation {}", reply.operation);
  }
}

void Job::send_answer(PendingReply const& reply, Bytes answer) {
  if (auto* const child = receiver(reply.to))
    channels_.send(*child, control::Type::answer, reply.ticket, reply.operation, answer);
}

void Job::tell(Rank to, Header const& header, Bytes payload) {
  const std::array pieces{bytes_of(header), payload};
  const Buffer packet{Gather{std::span<Bytes const>{pieces}}};
  if (auto* const child = receiver(to))
    channels_.send(*child, control::Type::message, 0, 0, packet.bytes());
}

/// Notes a message that may wake it: a process that has reported that it waits did so before. Null:
/// it has ended.
Child* Job::receiver(Rank to) {
  auto const rank = process_of(to);
  auto const found = children_.find(rank);
  if (found == children_.end()) return nullptr;
  quiescence_.told();
  partial_deadlock_.told(rank);
  return found->second.get();
}

}  // namespace earl::exec
