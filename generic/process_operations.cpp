// SPDX-License-Identifier: BSD-3-Clause
/// Process operations: a request to EXEC, and its answer, which is an input of the run.
#include "generic/engine.hpp"

namespace earl {

namespace {

/// A request that is one number.
struct One {
  Rank rank;
  void write(Writer& to) const { to.i32(number(rank)); }
};
struct Nothing {
  void write(Writer&) const {}
};

}  // namespace

template <class Answer, class Request>
Answer Process::ask(Operation operation, Request const& request) {
  Writer bytes;
  request.write(bytes);
  const Buffer answer = engine_->ask(operation, bytes.bytes());
  Reader from{answer.bytes()};
  return Answer::read(from);
}

SpawnAnswer Process::spawn(SpawnRequest const& request) {
  return ask<SpawnAnswer>(Operation::spawn, request);
}

StatusAnswer Process::signal(SignalRequest const& request) {
  return ask<StatusAnswer>(Operation::signal, request);
}

StatusAnswer Process::status(Rank rank) { return ask<StatusAnswer>(Operation::status, One{rank}); }

CallsAnswer Process::calls(Rank other) {
  CallsAnswer answer;
  try {
    answer = ask<CallsAnswer>(Operation::calls, One{other});
  } catch (Error const&) {  // no EXEC: a report without it is better than none
  }
  if (answer.own.empty()) answer.own = call_.name;
  return answer;
}

PartitionAnswer Process::allocate(AllocateRequest const& request) {
  return ask<PartitionAnswer>(Operation::allocate, request);
}

PartitionAnswer Process::attach(std::string_view name) {
  return ask<PartitionAnswer>(Operation::attach, AttachRequest{.name = std::string{name}});
}

CountAnswer Process::release(std::uint32_t partition) {
  return ask<CountAnswer>(Operation::release, Places{.partition = partition});
}

PartitionList Process::partitions() { return ask<PartitionList>(Operation::partitions, Nothing{}); }

ReserveAnswer Process::reserve(Places const& where) {
  return ask<ReserveAnswer>(Operation::reserve, where);
}

LoadAnswer Process::load(LoadRequest const& request) {
  return ask<LoadAnswer>(Operation::load, request);
}

bool Process::may_fork() const { return engine_->limits().forks; }

LoadAnswer Process::adopt(AdoptRequest const& request, int line) {
  engine_->enclose(line);
  return ask<LoadAnswer>(Operation::adopt, request);
}

CountAnswer Process::unhold(Places const& where) {
  return ask<CountAnswer>(Operation::unhold, where);
}

WaitAnswer Process::wait_one(Places const& where) {
  return ask<WaitAnswer>(Operation::wait_one, where);
}

WaitAnswer Process::wait_all(Places const& where) {
  return ask<WaitAnswer>(Operation::wait_all, where);
}

CountAnswer Process::end_processes(Places const& where) {
  return ask<CountAnswer>(Operation::end_processes, where);
}

GroupAnswer Process::join_group(std::string const& name) {
  return ask<GroupAnswer>(Operation::group_join, NameRequest{name});
}

GroupAnswer Process::leave_group(std::string const& name) {
  return ask<GroupAnswer>(Operation::group_leave, NameRequest{name});
}

Members Process::group_members(std::string const& name) {
  return ask<Members>(Operation::group_members, NameRequest{name});
}

GroupAnswer Process::group_barrier(MeetRequest const& request) {
  return ask<GroupAnswer>(Operation::group_barrier, request);
}

GroupAnswer Process::freeze_group(MeetRequest const& request) {
  return ask<GroupAnswer>(Operation::group_freeze, request);
}

GroupAnswer Process::named_barrier(MeetRequest const& request) {
  return ask<GroupAnswer>(Operation::barrier, request);
}

EventAnswer Process::post_event(std::string const& name) {
  return ask<EventAnswer>(Operation::event_post, NameRequest{name});
}

EventAnswer Process::clear_event(std::string const& name) {
  return ask<EventAnswer>(Operation::event_clear, NameRequest{name});
}

EventAnswer Process::wait_event(std::string const& name) {
  return ask<EventAnswer>(Operation::event_wait, NameRequest{name});
}

StoreAnswer Process::put_entry(StorePut const& request) {
  return ask<StoreAnswer>(Operation::store_put, request);
}

StoreAnswer Process::get_entry(StoreGet const& request) {
  return ask<StoreAnswer>(Operation::store_get, request);
}

StoreListing Process::entries() { return ask<StoreListing>(Operation::store_list, Nothing{}); }

NoticeAnswer Process::notify(NoticeRequest const& request) {
  return ask<NoticeAnswer>(Operation::notice, request);
}

ProcessList Process::processes() { return ask<ProcessList>(Operation::processes, Nothing{}); }

HostList Process::hosts() { return ask<HostList>(Operation::hosts, Nothing{}); }

void Process::retire() { ask<Done>(Operation::retire, Nothing{}); }

}  // namespace earl
