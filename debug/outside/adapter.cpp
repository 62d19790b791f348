// SPDX-License-Identifier: BSD-3-Clause
#include "debug/outside/adapter.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "debug/outside/sentences.hpp"
#include "generic/base/error.hpp"

namespace earl::outside {

namespace {

constexpr std::array<std::string_view, EARL_UNRELEASED + 1> kind_names{"",
                                                                       "EARL_CALL",
                                                                       "EARL_SEND",
                                                                       "EARL_POST",
                                                                       "EARL_MATCH",
                                                                       "EARL_COMPLETE",
                                                                       "EARL_SENT",
                                                                       "EARL_ASK",
                                                                       "EARL_ANSWER",
                                                                       "EARL_TEST",
                                                                       "EARL_TESTED",
                                                                       "EARL_CANCEL",
                                                                       "EARL_CANCELLED",
                                                                       "EARL_LOST",
                                                                       "EARL_CLOCK",
                                                                       "EARL_COLLECTIVE",
                                                                       "EARL_COLLECTIVE_END",
                                                                       "EARL_HANDLER",
                                                                       "EARL_HANDLER_END",
                                                                       "EARL_BLOCKED",
                                                                       "EARL_RESUMED",
                                                                       "EARL_END",
                                                                       "EARL_UNRELEASED"};

std::int32_t operation_of(OpKind kind) {
  switch (kind) {
    case OpKind::probe:
      return EARL_PROBE;
    case OpKind::try_probe:
      return EARL_TRY_PROBE;
    case OpKind::try_receive:
      return EARL_TRY_RECEIVE;
    case OpKind::test:
      return EARL_TEST_ONCE;
    case OpKind::wait_any:
      return EARL_WAIT;
    default:
      return EARL_RECEIVE;
  }
}

/// The operation as the program requested it, before other debuggers changed it.
bool is_certain(ReceiveOp const& op) {
  return op.program_spec().names_one_channel() && !op.contested;
}

earl_receive receive_of(ReceiveOp const& op) {
  auto const& spec = op.program_spec();
  earl_receive receive{};
  receive.operation = operation_of(op.kind);
  receive.certain = is_certain(op) ? 1 : 0;
  receive.source = spec.sources.empty() ? number(spec.source) : EARL_ANY;
  receive.tag = spec.tag.kind == TagMatch::Kind::exact ? spec.tag.low : EARL_ANY;
  receive.context = static_cast<std::uint64_t>(spec.context);
  receive.post = op.post;
  return receive;
}

earl_message message_of(Envelope const& envelope, std::uint64_t sequence) {
  earl_message message{};
  message.source = number(envelope.source);
  message.dest = number(envelope.dest);
  message.tag = number(envelope.tag);
  message.context = static_cast<std::uint64_t>(envelope.context);
  message.sequence = sequence;
  message.length = envelope.length;
  return message;
}

/// Only that message will do.
void pin(MatchSpec& spec, earl_answer const& answer) {
  spec.sources = {};
  spec.source = Rank{answer.source};
  spec.sequence = answer.sequence;
  spec.pinned = true;
}

}  // namespace

Adapter::Adapter(earl_tool_table const& table, Use use, DebuggedProcess& process)
    : table_(table), use_(std::move(use)), process_(process) {
  given_.size = sizeof given_;
  given_.rank = number(process.rank());
  given_.ranks = process.initial_size();
  given_.earl = this;
  given_.now = now;
  given_.stack = stack;
  given_.payload = payload;
  given_.notify = notify;
  char const* why = nullptr;
  try {
    object_ = table_.create(&given_, use_.argument.c_str(), &why);
  } catch (...) {
    // Never left: the exception is of another C++ runtime.
    end(1, exception_text(use_.path, "create"));
  }
  if (why) end(1, refusal_text(use_.path, why));
}

std::int64_t Adapter::now(earl_host const* host) {
  auto const& me = *static_cast<Adapter*>(host->earl);
  return std::chrono::nanoseconds(me.process_.noted_time().time_since_epoch()).count();
}

std::size_t Adapter::stack(earl_host const* host, void const** room, std::size_t most) {
  return static_cast<Adapter*>(host->earl)->process_.stack(std::span{room, most});
}

std::size_t Adapter::payload(earl_host const* host, void* room, std::size_t most) {
  auto const& bytes = static_cast<Adapter*>(host->earl)->payload_;
  auto const n = std::min(most, bytes.size());
  return n == 0 ? 0 : copy(bytes, MutableBytes{static_cast<std::byte*>(room), n});
}

int Adapter::notify(earl_host const* host, void const* bytes, std::size_t length) {
  auto const& me = *static_cast<Adapter*>(host->earl);
  if (me.over_ || me.use_.note_name.empty() || length > EARL_NOTE_MOST) return -1;
  me.process_.notify_exec(me.use_.note_name, {static_cast<std::byte const*>(bytes), length});
  return 0;
}

earl_event Adapter::begin(earl_event_kind kind) const {
  earl_event event{};
  event.size = sizeof event;
  event.kind = kind;
  return event;
}

int Adapter::ask(earl_event const& event) {
  if (over_) return EARL_GO_ON;
  answer_ = {};
  answer_.size = sizeof answer_;
  answer_.exit_code = 1;
  int verdict = EARL_GO_ON;
  try {
    verdict = table_.event(object_, &event, &answer_);
  } catch (...) {
    // Never left: the exception is of another C++ runtime.
    end(1, exception_text(use_.path, fmt::format("event at {}", kind_names[event.kind])));
  }
  if (verdict == EARL_STOP) stop();
  return verdict;
}

void Adapter::deliver(earl_event const& event) {
  if (auto const verdict = ask(event); verdict != EARL_GO_ON) refuse(event, verdict);
}

void Adapter::refuse(earl_event const& event, int verdict) {
  end(1, wrong_verdict_text(use_.path, verdict, kind_names[event.kind], constrains_matching()));
}

void Adapter::stop() {
  end(answer_.exit_code, stop_text(use_.path, answer_.sentence ? answer_.sentence : ""));
}

void Adapter::end(int exit_code, std::string const& sentence) {
  over_ = true;
  process_.stop(exit_code, sentence);
  check_failed("false", __FILE__, __LINE__, "a process that was stopped goes on");
}

void Adapter::destroy() {
  over_ = true;
  auto* const object = std::exchange(object_, nullptr);
  if (object && table_.destroy) table_.destroy(object);
}

void Adapter::entered(Call const& call) {
  auto event = begin(EARL_CALL);
  event.of.call = {call.name, call.site};
  deliver(event);
}

void Adapter::sending(SendOp const& op) {
  auto event = begin(EARL_SEND);
  event.of.message = message_of(op.envelope, op.sequence);
  event.of.message.source = given_.rank;
  event.of.message.length = op.payload.size();
  payload_ = op.payload;
  deliver(event);
  payload_ = {};
}

Verdict Adapter::posting(ReceiveOp& op) {
  auto const posted = op.kind == OpKind::receive;
  auto const waits = posted || op.kind == OpKind::probe;
  auto event = begin(posted ? EARL_POST : EARL_ASK);
  event.of.receive = receive_of(op);
  auto const verdict = ask(event);
  if (verdict == EARL_GO_ON) return Verdict::free;
  if (!constrains_matching() || (verdict != EARL_TAKE && verdict != EARL_NO) ||
      (verdict == EARL_NO && op.kind == OpKind::probe))
    refuse(event, verdict);
  // Another tool has decided already.
  if (op.spec.pinned || op.spec.nothing) return Verdict::free;
  if (verdict == EARL_TAKE) pin(op.spec, answer_);
  if (verdict == EARL_NO && posted) op.spec.nothing = true;
  if (waits) return Verdict::free;
  return verdict == EARL_TAKE ? Verdict::yes : Verdict::no;
}

void Adapter::matched(ReceiveOp const& op, Envelope const& envelope, MessageId const& id) {
  auto event = begin(EARL_MATCH);
  event.of.message = message_of(envelope, id.sequence);
  event.of.message.dest = given_.rank;
  event.of.message.post = op.post;
  payload_ = op.payload;
  deliver(event);
  payload_ = {};
}

void Adapter::lost(ReceiveOp const& op, MessageId const& id) {
  auto event = begin(EARL_LOST);
  event.of.message.source = number(id.source);
  event.of.message.dest = given_.rank;
  event.of.message.sequence = id.sequence;
  event.of.message.post = op.post;
  deliver(event);
}

void Adapter::completed(std::uint64_t post) {
  auto const of_send = names_send(post);
  auto event = begin(of_send ? EARL_SENT : EARL_COMPLETE);
  event.of.message.source = of_send ? given_.rank : EARL_ANY;
  event.of.message.dest = of_send ? number(dest_of_send(post)) : given_.rank;
  event.of.message.sequence = of_send ? sequence_of_send(post) : 0;
  event.of.message.post = of_send ? 0 : post;
  deliver(event);
}

void Adapter::answered(ReceiveOp const& op, Envelope const* found, MessageId const& id) {
  auto event = begin(EARL_ANSWER);
  event.of.answer.operation = operation_of(op.kind);
  event.of.answer.certain = is_certain(op) ? 1 : 0;
  event.of.answer.found = found ? 1 : 0;
  if (found) event.of.answer.message = message_of(*found, id.sequence);
  event.of.answer.message.dest = given_.rank;
  deliver(event);
}

Verdict Adapter::testing(TestOp const& op, std::span<const std::uint32_t>& demanded) {
  auto event = begin(EARL_TEST);
  event.of.test.operation = operation_of(op.kind);
  event.of.test.all = op.all ? 1 : 0;
  event.of.test.requests = op.requests;
  auto const verdict = ask(event);
  if (verdict == EARL_GO_ON) return Verdict::free;
  if (!constrains_matching() || (verdict != EARL_YES && verdict != EARL_NO)) refuse(event, verdict);
  if (verdict == EARL_NO) return Verdict::no;
  demanded = {answer_.positions, static_cast<std::size_t>(answer_.count)};
  auto const beyond = [&](std::uint32_t position) { return position >= op.requests; };
  if (std::ranges::any_of(demanded, beyond)) refuse(event, verdict);
  return Verdict::yes;
}

void Adapter::tested(TestOp const& op, std::span<const std::uint32_t> positions) {
  auto event = begin(EARL_TESTED);
  event.of.test.operation = operation_of(op.kind);
  event.of.test.all = op.all ? 1 : 0;
  event.of.test.requests = op.requests;
  event.of.test.positions = positions.data();
  event.of.test.count = positions.size();
  deliver(event);
}

std::optional<bool> Adapter::cancelling(std::uint64_t post) {
  auto event = begin(EARL_CANCEL);
  event.of.cancel.request = post;
  auto const verdict = ask(event);
  if (verdict == EARL_GO_ON) return std::nullopt;
  if (!constrains_matching() || (verdict != EARL_YES && verdict != EARL_NO)) refuse(event, verdict);
  return verdict == EARL_YES;
}

void Adapter::cancelled(std::uint64_t post, bool was_cancelled) {
  auto event = begin(EARL_CANCELLED);
  event.of.cancel.request = post;
  event.of.cancel.yes = was_cancelled ? 1 : 0;
  deliver(event);
}

std::int64_t Adapter::clock_read(std::int64_t now) {
  auto event = begin(EARL_CLOCK);
  event.of.clock.nanoseconds = now;
  auto const verdict = ask(event);
  if (verdict == EARL_GO_ON) return now;
  if (!constrains_matching() || verdict != EARL_TAKE) refuse(event, verdict);
  return answer_.value;
}

void Adapter::deliver_collective(earl_event_kind kind, CollectiveOp const& op) {
  members_.clear();
  for (auto const member : op.members) members_.push_back(number(member));
  auto event = begin(kind);
  event.of.collective.kind = op.kind.data();
  event.of.collective.context = static_cast<std::uint64_t>(op.context);
  event.of.collective.number = op.number;
  event.of.collective.root = op.root;
  event.of.collective.members = members_.data();
  event.of.collective.count = members_.size();
  event.of.collective.bytes = op.bytes;
  deliver(event);
}

void Adapter::unreleased(Unreleased const& objects) {
  auto event = begin(EARL_UNRELEASED);
  event.of.unreleased = {objects.made.name, objects.made.site, objects.count};
  deliver(event);
}

void Adapter::ended(std::uint64_t unreceived) {
  auto event = begin(EARL_END);
  event.of.end.unreceived = unreceived;
  deliver(event);
  destroy();
}

}  // namespace earl::outside
