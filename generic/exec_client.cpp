// SPDX-License-Identifier: BSD-3-Clause
#include "generic/exec_client.hpp"

#include "generic/engine.hpp"

namespace earl {

namespace {

/// A request that is one number.
struct One {
  Rank rank;

  template <class Self, class Visit>
  static void fields(Self& self, Visit& visit) {
    visit(self.rank);
  }
};

}  // namespace

void ExecClient::answered(std::uint32_t ticket, Buffer answer) {
  ++received_;
  answers_.insert_or_assign(ticket, std::move(answer));
}

/// An end is reported only when all that was sent by then has been taken in: EXEC's messages
/// wait until nothing else arrives.
void ExecClient::message(Header const& header, Bytes payload) {
  ++received_;
  Envelope envelope = envelope_of(header, engine_.rank());
  envelope.source = exec_rank;
  envelope.length = payload.size();
  messages_.emplace_back(envelope, Buffer{Gather{payload}});
}

/// The answer to a question counts what was sent before EXEC asked, by processes that have ended
/// since, too: none is given while messages are still there.
std::size_t ExecClient::take_waiting() {
  if (messages_.empty())
    for (auto const question : std::exchange(inquiries_, {}))
      executive_->answer_inquiry(question, *this);
  auto const messages = std::exchange(messages_, {});
  for (auto const& [envelope, body] : messages) {
    auto const id = names_.next(envelope);
    engine_.endpoint().notices.arrived(envelope, body.bytes(), id);
    engine_.receiver().arrived(envelope, id, body.bytes());
  }
  return messages.size();
}

Report ExecClient::report() { return engine_.report(); }

Buffer ExecClient::ask(Operation operation, Bytes request) {
  const std::uint32_t ticket = ++tickets_;
  auto const code = static_cast<std::uint32_t>(operation);
  executive_->ask(ticket, code, request);
  engine_.wait_running_handlers([&] { return answers_.contains(ticket); },
                                {.kind = OpKind::exec, .operation = code});
  Buffer answer = std::move(answers_.at(ticket));
  answers_.erase(ticket);
  if (Interceptor* const debugger = engine_.endpoint().debugger)
    debugger->exec_answered(code, request, answer);
  return answer;
}

template <class Answer, class Request>
Answer ExecClient::ask(Operation operation, Request const& request) {
  Writer bytes;
  bytes(request);
  const Buffer answer = ask(operation, bytes.bytes());
  Reader from{answer.bytes()};
  return from.get<Answer>();
}

SpawnAnswer ExecClient::spawn(SpawnRequest const& request) {
  return ask<SpawnAnswer>(Operation::spawn, request);
}

StatusAnswer ExecClient::signal(SignalRequest const& request) {
  return ask<StatusAnswer>(Operation::signal, request);
}

StatusAnswer ExecClient::status(Rank rank) {
  return ask<StatusAnswer>(Operation::status, One{rank});
}

CallsAnswer ExecClient::calls(Rank other) {
  CallsAnswer answer;
  try {
    answer = ask<CallsAnswer>(Operation::calls, One{other});
  } catch (Error const&) {  // no EXEC: a report without it is better than none
  }
  if (answer.own.empty()) answer.own = call_.name;
  return answer;
}

PartitionAnswer ExecClient::allocate(AllocateRequest const& request) {
  return ask<PartitionAnswer>(Operation::allocate, request);
}

PartitionAnswer ExecClient::attach(std::string_view name) {
  return ask<PartitionAnswer>(Operation::attach, AttachRequest{.name = std::string{name}});
}

CountAnswer ExecClient::release(std::uint32_t partition) {
  return ask<CountAnswer>(Operation::release, Places{.partition = partition});
}

PartitionList ExecClient::partitions() {
  return ask<PartitionList>(Operation::partitions, Nothing{});
}

ReserveAnswer ExecClient::reserve(Places const& where) {
  return ask<ReserveAnswer>(Operation::reserve, where);
}

LoadAnswer ExecClient::load(LoadRequest const& request) {
  return ask<LoadAnswer>(Operation::load, request);
}

bool ExecClient::may_fork() const { return engine_.endpoint().limits.forks; }

LoadAnswer ExecClient::adopt(AdoptRequest const& request, int line) {
  executive_->enclose(line);
  return ask<LoadAnswer>(Operation::adopt, request);
}

CountAnswer ExecClient::unhold(Places const& where) {
  return ask<CountAnswer>(Operation::unhold, where);
}

WaitAnswer ExecClient::wait_one(Places const& where) {
  return ask<WaitAnswer>(Operation::wait_one, where);
}

WaitAnswer ExecClient::wait_all(Places const& where) {
  return ask<WaitAnswer>(Operation::wait_all, where);
}

CountAnswer ExecClient::end_processes(Places const& where) {
  return ask<CountAnswer>(Operation::end_processes, where);
}

GroupAnswer ExecClient::join_group(std::string const& name) {
  return ask<GroupAnswer>(Operation::group_join, NameRequest{name});
}

GroupAnswer ExecClient::leave_group(std::string const& name) {
  return ask<GroupAnswer>(Operation::group_leave, NameRequest{name});
}

Members ExecClient::group_members(std::string const& name) {
  return ask<Members>(Operation::group_members, NameRequest{name});
}

GroupAnswer ExecClient::group_barrier(MeetRequest const& request) {
  return ask<GroupAnswer>(Operation::group_barrier, request);
}

GroupAnswer ExecClient::freeze_group(MeetRequest const& request) {
  return ask<GroupAnswer>(Operation::group_freeze, request);
}

GroupAnswer ExecClient::named_barrier(MeetRequest const& request) {
  return ask<GroupAnswer>(Operation::barrier, request);
}

EventAnswer ExecClient::post_event(std::string const& name) {
  return ask<EventAnswer>(Operation::event_post, NameRequest{name});
}

EventAnswer ExecClient::clear_event(std::string const& name) {
  return ask<EventAnswer>(Operation::event_clear, NameRequest{name});
}

EventAnswer ExecClient::wait_event(std::string const& name) {
  return ask<EventAnswer>(Operation::event_wait, NameRequest{name});
}

StoreAnswer ExecClient::put_entry(StorePut const& request) {
  return ask<StoreAnswer>(Operation::store_put, request);
}

StoreAnswer ExecClient::get_entry(StoreGet const& request) {
  return ask<StoreAnswer>(Operation::store_get, request);
}

StoreListing ExecClient::entries() { return ask<StoreListing>(Operation::store_list, Nothing{}); }

NoticeAnswer ExecClient::notify(NoticeRequest const& request, std::string subject) {
  if (!request.cancel) engine_.endpoint().notices.expect(request, std::move(subject));
  return ask<NoticeAnswer>(Operation::notice, request);
}

ProcessList ExecClient::processes() { return ask<ProcessList>(Operation::processes, Nothing{}); }

HostList ExecClient::hosts() { return ask<HostList>(Operation::hosts, Nothing{}); }

void ExecClient::retire() { ask<Nothing>(Operation::retire, Nothing{}); }

}  // namespace earl
