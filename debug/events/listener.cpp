// SPDX-License-Identifier: BSD-3-Clause
#include "debug/events/listener.hpp"

#include "debug/trace/sends.hpp"
#include "generic/services/groups.hpp"
#include "generic/services/operations.hpp"
#include "generic/services/partitions.hpp"

namespace earl::events {

namespace {

bool is_meeting(Operation operation) {
  return operation == Operation::barrier || operation == Operation::group_barrier ||
         operation == Operation::group_freeze;
}

std::vector<std::int32_t> ranks_of(SpawnAnswer const& answer) {
  std::vector<std::int32_t> ranks;
  for (auto const rank : answer.ranks) ranks.push_back(number(rank));
  return ranks;
}

}  // namespace

std::int64_t Listener::time() const {
  return std::chrono::nanoseconds(process_.noted_time().time_since_epoch()).count();
}

void Listener::put(Event const& event) {
  if (over_) return;
  put_misses();
  put_call();
  writer_.put(event);
}

void Listener::put_call() {
  if (!std::exchange(call_waits_, false)) return;
  Event event;
  event.kind = EventKind::call;
  event.call = calls_;
  event.site = writer_.site(call_);
  event.time = call_time_;
  writer_.put(event);
}

void Listener::put_misses() {
  if (misses_.count == 0) return;
  Event event;
  event.kind = EventKind::missed;
  event.operation = misses_.operation;
  event.what = misses_.what;
  event.count = misses_.count;
  event.call = misses_.call;
  misses_.count = 0;
  writer_.put(event);
}

void Listener::put_kind(EventKind kind) {
  Event event;
  event.kind = kind;
  put(event);
}

void Listener::put_id(EventKind kind, MessageId const& id) {
  Event event;
  event.kind = kind;
  event.peer = number(id.source);
  event.sequence = id.sequence;
  put(event);
}

void Listener::note_label(Context context) {
  if (over_) return;
  last_context_ = context;
  auto const [known, fresh] = labels_.try_emplace(context);
  if (!fresh) return;
  known->second = process_.context_label(context);
  put_label(context, known->second);
}

void Listener::put_label(Context context, std::string const& label) {
  if (label.empty()) return;
  Event event;
  event.kind = EventKind::label;
  event.context = static_cast<std::uint64_t>(context);
  event.text = label;
  put(event);
}

void Listener::put_subject(MessageId const& id) {
  Event event;
  event.kind = EventKind::notice;
  event.sequence = id.sequence;
  event.text = process_.notice_subject(id);
  if (!event.text.empty()) put(event);
}

/// A program may name a communicator after its first use. The name of one that is gone stays.
void Listener::note_changed_labels() {
  labels_.try_emplace(common_context);
  for (auto const& [context, label] : labels_) {
    auto const now = process_.context_label(context);
    if (now != label) put_label(context, now);
  }
}

/// A call is written with the first thing that happens in it, or when the next one begins.
void Listener::entered(Call const& call) {
  if (over_) return;
  if (call_waits_) {
    put_misses();
    put_call();
  }
  call_ = call;
  call_waits_ = true;
  call_time_ = time();
  writer_.count_call(++calls_);
}

void Listener::sending(SendOp const& op) {
  note_context(op.envelope.context);
  Event event;
  event.kind = EventKind::send;
  event.peer = number(op.envelope.dest);
  event.sequence = op.sequence;
  event.context = static_cast<std::uint64_t>(op.envelope.context);
  event.tag = number(op.envelope.tag);
  event.length = op.payload.size();
  event.mode = op.envelope.mode;
  event.check = static_cast<std::uint32_t>(trace::content_hash(op.payload, 0));
  put(event);
}

Verdict Listener::posting(ReceiveOp& op) {
  if (over_) return Verdict::free;
  if (!op.program_spec().any_user_context) note_context(op.program_spec().context);
  auto const filter = writer_.filter(filter_of(op));
  if (op.kind != OpKind::receive) {
    asked_ = filter;
    return Verdict::free;
  }
  Event event;
  event.kind = EventKind::post;
  event.post = op.post;
  event.what = filter;
  put(event);
  return Verdict::free;
}

void Listener::matched(ReceiveOp const& op, Envelope const&, MessageId const& id) {
  note_subject(id);
  Event event;
  event.kind = EventKind::match;
  event.post = op.post;
  event.peer = number(id.source);
  event.sequence = id.sequence;
  put(event);
}

void Listener::completed(std::uint64_t post) {
  Event event;
  event.kind = EventKind::completed;
  event.post = post;
  if (names_send(post)) {
    event.kind = EventKind::sent;
    event.peer = number(dest_of_send(post));
    event.sequence = sequence_of_send(post);
  }
  put(event);
}

void Listener::lost(ReceiveOp const&, MessageId const& id) { put_id(EventKind::lost, id); }

void Listener::answered(ReceiveOp const& op, Envelope const* found, MessageId const& id) {
  if (!found) return missed(op.kind, asked_);
  note_subject(id);
  Event event;
  event.kind = EventKind::found;
  event.operation = op.kind;
  event.what = asked_;
  event.count = op.takes || op.kind == OpKind::try_receive ? 1 : 0;
  event.peer = number(id.source);
  event.sequence = id.sequence;
  put(event);
}

void Listener::tested(TestOp const& op, std::span<const std::uint32_t> positions) {
  if (positions.empty()) return missed(op.kind, 0);
  Event event;
  event.kind = EventKind::tested;
  event.operation = op.kind;
  event.count = positions.size();
  event.number = op.all ? 1 : op.requests;
  if (event.number > 1)
    for (auto const position : positions)
      event.ranks.push_back(static_cast<std::int32_t>(position));
  put(event);
}

void Listener::missed(OpKind operation, std::uint32_t what) {
  if (over_) return;
  bool const again = call_waits_ && misses_.count != 0 && misses_.site == call_.site &&
                     misses_.operation == operation && misses_.what == what;
  if (!again) {
    put_misses();
    put_call();
    misses_ = {.operation = operation, .what = what, .site = call_.site};
  }
  call_waits_ = false;
  ++misses_.count;
  misses_.call = calls_;
}

void Listener::cancelled(std::uint64_t post, bool was_cancelled) {
  if (!was_cancelled) return;
  if (names_send(post))
    return put_id(EventKind::unsent, {dest_of_send(post), sequence_of_send(post)});
  Event event;
  event.kind = EventKind::cancelled;
  event.post = post;
  put(event);
}

void Listener::exec_answered(std::uint32_t code, Bytes request, Buffer& answer) {
  auto const operation = static_cast<Operation>(code);
  Event event;
  event.kind = EventKind::exec;
  event.number = code;
  Reader from(answer.bytes());
  if (operation == Operation::spawn) event.ranks = ranks_of(from.get<SpawnAnswer>());
  if (operation == Operation::load || operation == Operation::adopt)
    event.ranks = ranks_of(from.get<LoadAnswer>().started);
  if (is_meeting(operation)) {
    Reader asked(request);
    Reader answered(answer.bytes());
    auto const meet = asked.get<MeetRequest>();
    auto const came = answered.get<GroupAnswer>();
    bool const met = came.fault == GroupFault::none;
    event.kind = met ? EventKind::meeting : EventKind::exec;
    event.what = writer_.string(meet.name);
    event.count = meet.count == all_members ? came.size : static_cast<std::uint64_t>(meet.count);
  }
  put(event);
}

void Listener::handling(HandlerOp const& op) {
  if (op.handler == 0) {
    note_subject(op.id);
    put_id(EventKind::taken, op.id);
  }
  Event event;
  event.kind = EventKind::handler;
  event.post = op.handler;
  put(event);
  interrupted_ = call_;
}

void Listener::handled(HandlerOp const&) {
  put_kind(EventKind::handled);
  call_ = interrupted_;
}

void Listener::collective(CollectiveOp const& op) {
  if (over_) return;
  note_context(op.context);
  Event event;
  event.kind = EventKind::collective;
  event.what = writer_.string(op.kind);
  event.flow = op.flow;
  event.context = static_cast<std::uint64_t>(op.context);
  event.number = op.number;
  event.root = op.root;
  event.count = writer_.members(op.members);
  event.length = op.bytes;
  put(event);
}

void Listener::collective_ended(CollectiveOp const&) { put_kind(EventKind::collected); }

void Listener::blocked() { blocked_at_ = time(); }

void Listener::resumed() {
  Event event;
  event.kind = EventKind::waited;
  event.time = std::max<std::int64_t>(time() - blocked_at_, 0);
  put(event);
}

void Listener::unreleased(Unreleased const& objects) {
  if (over_) return;
  Event event;
  event.kind = EventKind::unreleased;
  event.site = writer_.site(objects.made);
  event.count = objects.count;
  put(event);
}

void Listener::send_completed(CompletedSend const& send) {
  if (over_) return;
  Event event;
  event.kind = EventKind::send_completed;
  event.peer = number(send.dest);
  event.sequence = send.sequence;
  event.count = send.altered ? 1 : 0;
  put(event);
}

void Listener::mistyped(Mistyped const& message) {
  if (over_) return;
  Event event;
  event.kind = EventKind::mistyped;
  event.peer = number(message.id.source);
  event.sequence = message.id.sequence;
  event.what = writer_.string(message.sent);
  event.count = writer_.string(message.received);
  put(event);
}

void Listener::collective_types(CollectiveTypes const& types) {
  if (over_) return;
  Event event;
  event.kind = EventKind::collective_types;
  event.what = writer_.string(types.given);
  event.count = writer_.string(types.taken);
  put(event);
}

void Listener::continue_as(std::span<std::string_view const>& arguments) {
  writer_.continue_in(events_path(std::string{arguments.front()}, process_.rank()));
  arguments = arguments.subspan(1);
}

void Listener::ended(std::uint64_t unreceived) {
  note_changed_labels();
  Event event;
  event.kind = EventKind::end;
  event.count = unreceived;
  put(event);
  over_ = true;
  writer_.finish(calls_, unreceived);
}

}  // namespace earl::events
