// SPDX-License-Identifier: BSD-3-Clause
/// Messages and requests of processes.
#include <fmt/format.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>

#include "exec/launcher/children/child_end.hpp"
#include "exec/launcher/children/rank_channel.hpp"
#include "exec/launcher/job/job.hpp"

namespace earl::exec {

namespace {

constexpr std::size_t most_name = sizeof(IdRow::front_end) - 1;

/// Processes that a spawn request wants; 0: the request makes no sense.
std::uint32_t spawned_by(Bytes request) {
  try {
    Reader from(request);
    return from.get<SpawnRequest>().count;
  } catch (Error const&) {
    return 0;  // the code that serves it reports it
  }
}

bool asks_about_processes(control::Message const& request) {
  auto const operation = static_cast<Operation>(request.operation);
  return operation == Operation::processes || operation == Operation::signal ||
         operation == Operation::status;
}

/// The process that speaks may be a child of the one that EXEC has started.
void set_pid(Child& child, std::int32_t said) {
  if (child.is_remote()) {
    child.registered_pid = std::max(said, 1);
    return;
  }
  bool const started = child.origin == Origin::started;
  child.registered_pid = child.speaker != 0 && started ? child.speaker : child.pid;
  if (child.registered_pid != child.pid)
    child.registered_handle =
        Descriptor(static_cast<int>(::syscall(SYS_pidfd_open, child.registered_pid, 0)));
}

}  // namespace

void Job::on_hello(Child& child, control::Hello const& hello) {
  if (hello.packets != packet_version)
    throw Error("a hello for version {} of Earl's packets (this is {})", hello.packets,
                packet_version);
  if (hello.front_end.empty() || hello.front_end.size() > most_name)
    throw Error("a hello of a front end whose name has {} bytes", hello.front_end.size());
  set_pid(child, hello.unix_pid);
  if (child.front_end.empty()) child.front_end = hello.front_end;
  starter_.registered(child);
  calls_.registered(child);
}

void Job::on_sent(Child& child) {
  back_end_->notify_control(child.rank);
  if (!delivery_.empty()) delivery_.deliver_soon();
}

void Job::on_request(Child& child, control::Message message) {
  // Its earlier output comes before others learn of this.
  if (child.subscribed) output_.read_available(child.writer);
  // It may have a message that another process sent after its hello.
  if (asks_about_processes(message))
    for (auto& [rank, other] : children_.all()) channels_.take_hello(other);
  gate_.add(RequestGate::Request{.from = child.rank, .message = std::move(message)});
  gate_.run();
  // Also when it has to wait: what it waits for may be another rank's to do.
  if (child.rank_channel) child.rank_channel->handled();
}

void Job::on_report(Child& child, Report report) {
  if ((report.question & control::asks_for_call) != 0) return calls_.reported(child.rank, report);
  monitor_.reported(child.rank, std::move(report));
}

void Job::on_protocol_error(Child& child, std::string_view why) {
  ++dropped_;
  report(fmt::format("{} wrote {} into its control channel, which is closed now", describe(child),
                     why));
  // The job does not wait for a console, nor a session server for a guest.
  if (child.is_guest() && (serving() != Serving::job || child.is_console()))
    return guests_.ended(child);
  if (!child.rank_channel)
    return on_sent(child);  // so that it finds the channel closed if it sleeps
  child.rank_channel->signal(child.rank, SIGKILL);
  child.rank_channel->handled();
}

void Job::on_disconnected(Child& child) {
  if (child.is_guest())
    guests_.ended(child);
  else
    ends_.check(child);
}

/// Agents start processes for them, or others are asked for their calls.
std::vector<Rank> Job::being_served() const {
  auto ranks = remote_.waiting_spawners();
  for (auto const rank : calls_.waiting()) ranks.push_back(rank);
  return ranks;
}

void Job::read_output() {
  delivery_.read_output();
  gate_.run();
}

bool Job::awaits_room(RequestGate::Request const& request) {
  auto const& [type, ticket, operation, body] = request.message;
  return operation == static_cast<std::uint32_t>(Operation::spawn) &&
         rows_.awaits_room(spawned_by(body.bytes()));
}

void Job::announce(RequestGate::Death const& death) {
  auto& child = children_.at(death.rank);
  child.death = Announcement::made;
  for (auto* service : services_) service->died(death.rank, death.wait_status);
  rows_.add(child);
}

void Job::serve(RequestGate::Request const& request) {
  auto const& [type, ticket, operation, body] = request.message;
  try {
    answer({.to = request.from, .ticket = ticket, .operation = operation}, body.bytes());
  } catch (Error const& error) {
    auto& child = children_.at(request.from);
    child.protocol_failed = true;
    channels_.close(child);
    on_protocol_error(child, error.what());
  }
}

/// A debugger that cannot go on (a full disk) ends the job, with its sentence.
void Job::debugger_failed(Error const& error) {
  report(error.what());
  end(1);
}

bool Job::has_work_of(Rank rank) const {
  return gate_.has_request_of(rank) || delivery_.has_output_of(rank);
}

bool Job::some_leave() const {
  return std::ranges::any_of(children_.all(), [this](auto const& entry) {
    return entry.second.alive() && !entry.second.is_guest() &&
           named_services_.has_left(entry.first);
  });
}

void Job::releasing(Child const& child) {
  ends_.reap(child);
  named_services_.released(child.rank);
  monitor_.released(child.rank);
}

void Job::end_partition_of(Child const& child) {
  loading_.end_processes({.partition = roster_.at(child.rank).partition});
}

/// Every process operation is a case here. Some are answered at once, others later.
void Job::answer(PendingReply const& reply, Bytes body) {
  auto& child = children_.at(reply.to);
  Reader from(body);
  switch (static_cast<Operation>(reply.operation)) {
    case Operation::spawn:
      return remote_.answer_when_started(reply, processes_.spawn(child, from.get<SpawnRequest>()));
    case Operation::signal:
      return messages_.answer(reply, processes_.signal(from.get<SignalRequest>()));
    case Operation::status:
      return messages_.answer(reply, processes_.status(Rank{from.i32()}));
    case Operation::calls:
      return calls_.look_up(reply, Rank{from.i32()});
    case Operation::allocate:
      return messages_.answer(reply, partitions_.allocate(child.rank, from.get<AllocateRequest>()));
    case Operation::attach:
      return messages_.answer(reply, partitions_.attach(child.rank, from.get<AttachRequest>()));
    case Operation::release:
      return messages_.answer(reply, loading_.release(from.get<Places>().partition));
    case Operation::partitions:
      return messages_.answer(reply, partitions_.list());
    case Operation::reserve:
      return messages_.answer(reply, loading_.reserve(from.get<Places>()));
    case Operation::load:
      return messages_.answer(reply, loading_.load(child, from.get<LoadRequest>()));
    case Operation::adopt:
      return messages_.answer(reply, forked_.adopt(child, from.get<AdoptRequest>()));
    case Operation::unhold:
      return messages_.answer(reply, loading_.unhold(from.get<Places>()));
    case Operation::end_processes:
      return messages_.answer(reply, loading_.end_processes(from.get<Places>()));
    case Operation::wait_one:
      return waits_.one(reply, from.get<Places>());
    case Operation::wait_all:
      return waits_.all(reply, from.get<Places>());
    default:
      if (named_services_.serve(reply, from)) return;
      throw Error("a request for the unknown operation {}", reply.operation);
  }
}

}  // namespace earl::exec
