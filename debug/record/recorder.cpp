// SPDX-License-Identifier: BSD-3-Clause
#include "debug/record/recorder.hpp"

#include <algorithm>

#include "debug/record/argument.hpp"
#include "generic/base/crc32c.hpp"

namespace earl::record {

using trace::Outcome;
using trace::OutcomeKind;

namespace {

trace::TraceFileOptions reduced_by(trace::FrameReducer* reducer,
                                   trace::TraceFileOptions const& options) {
  auto reduced = options;
  reduced.reducer = reducer;
  return reduced;
}

}  // namespace

Recorder::Recorder(DebuggedProcess& process, trace::TraceFileOptions const& options, bool minimal)
    : rank_(options.rank),
      writer_(reduced_by(minimal ? &free_ : nullptr, options)),
      labels_(process) {
  if (minimal) pins_.emplace(options.rank);
  if (options.keep != 0) prefix_.emplace();
  plain_ = !pins_ && !prefix_;
}

std::uint32_t Recorder::site() {
  return sites_.number_of(*here_, [this](Outcome const& definition) { writer_.put(definition); });
}

Outcome& Recorder::outcome(OutcomeKind what, OpKind kind) {
  outcome_.what = what;
  outcome_.kind = kind;
  outcome_.yes = false;
  outcome_.site = site();
  outcome_.event = event();
  outcome_.positions.clear();
  outcome_.text.clear();
  return outcome_;
}

void Recorder::entered(Call const& call) {
  auto* const here = sites_.find_recent(call);
  if (here == nullptr) [[unlikely]]
    return entered_elsewhere(call);
  here_ = here;
  auto const event = writer_.events() + 1;
  writer_.event(event);
  position_.call();
  fingerprint_.call(here->hash);
  if (event % trace::hash_every == 0) [[unlikely]]
    put_hash();
}

void Recorder::entered_elsewhere(Call const& call) {
  if (over_) return;
  sites_.at(call);
  entered(call);
}

/// The checks of the kept part begin anew with it.
void Recorder::begin_part() {
  put_checks();
  std::vector<std::uint64_t> open;
  for (auto const& posted : posts_.all()) open.push_back(posted.post);
  auto before = position_;
  before.miss();  // the call under way is not before it
  prefix_->close(event(), before, posted_, std::move(open));
  auto const bytes = prefix_->to_bytes();
  writer_.begin_part(std::as_bytes(std::span{bytes}));
  for (auto const& definition : sites_.definitions()) writer_.put(definition);
  labels_.repeat([this](Outcome const& name) { writer_.put(name); });
  sent_ = 0;
  collectives_ = 0;
}

void Recorder::put_hash() {
  // A process that polls does so often, and in a run of answers "no" there is nothing to check.
  if (writer_.is_missing()) return;
  if (writer_.part_is_due()) begin_part();
  put_checks();
  auto& hash = outcome(OutcomeKind::hash, OpKind::receive);
  hash.count = fingerprint_.value();
  writer_.put(hash);
  if (prefix_) fingerprint_ = {};
}

void Recorder::sending(SendOp const& op) {
  bool const few = plain_ && trace::is_few(op.payload);
  if (!few) [[unlikely]]
    return sending_many(op);
  auto const contents = trace::hash_of_few(op.payload.only());
  const trace::Sent sent = sent_of(op, contents);
  fingerprint_.send(sent);
  if (!sends_.add_expected(sent)) [[unlikely]]
    return add_unexpected(op, contents);
  ++sent_;
  if (sends_.full()) [[unlikely]]
    put_checks(OutcomeKind::sends, sends_);
}

trace::Sent Recorder::sent_of(SendOp const& op, std::uint64_t contents) {
  return {.length = op.payload.size(),
          .dest = number(op.envelope.dest),
          .tag = number(op.envelope.tag),
          .check = static_cast<std::uint16_t>(contents)};
}

void Recorder::sending_many(SendOp const& op) {
  if (over_) return;
  position_.operation();
  if (pins_) pins_->sent(op.envelope.dest, op.sequence);
  auto const contents = trace::content_hash(op.payload, sent_);
  fingerprint_.send(sent_of(op, contents));
  add_unexpected(op, contents);
}

void Recorder::add_unexpected(SendOp const& op, std::uint64_t contents) {
  ++sent_;
  sends_.add(sent_of(op, contents));
  if (sends_.full()) put_checks(OutcomeKind::sends, sends_);
}

/// Several at once: they are for checks alone, and a killed process may lose the last.
void Recorder::put_checks(OutcomeKind what, trace::Sends& checks) {
  if (checks.empty()) return;
  auto& record = outcome(what, OpKind::send);
  record.count = 0;
  record.text.assign(checks.text());
  writer_.put(record);
  checks.clear();
}
void Recorder::put_checks() {
  put_checks(OutcomeKind::sends, sends_);
  put_checks(OutcomeKind::contributions, contributions_);
}

bool Recorder::certain(ReceiveOp const& op) {
  return op.program_spec().names_one_channel() && !op.contested;
}

Verdict Recorder::posting(ReceiveOp& op) {
  auto const selector = trace::selector_of(op.program_spec());
  fingerprint_.ask(op.kind, selector);
  if (op.kind == OpKind::receive) {
    posted_ = op.post + 1;
    position_.operation();
  }
  if (op.kind != OpKind::receive)
    asked_ = selector;
  else if (!certain(op))
    posts_.add({.post = op.post, .event = event(), .site = site(), .selector = selector});
  if (pins_) pins_->posting(op.program_spec());
  return Verdict::free;
}

void Recorder::matched(ReceiveOp const& op, Envelope const& envelope, MessageId const& id) {
  if (over_) return;
  note_received(id);
  auto* const posted = posts_.take(op.post);
  if (posted == nullptr) {
    if (pins_) pins_->matched(op.post, envelope, id);
    return;
  }
  posted->id = id;
  put(*posted, op, envelope);
}

void Recorder::put(trace::Received const& got, ReceiveOp const& op, Envelope const& envelope) {
  note_label(got.selector);
  writer_.put(got);
  if (!pins_) return;
  // A handler may take what a receive asks for, a refused message stays, and EXEC's messages do not
  // come in one order.
  bool const refused = op.payload.size() == 0 && envelope.length != 0;
  if (op.contested || refused || got.id.source == exec_rank)
    pins_->matched(got.post, envelope, got.id);
  else if (!pins_->must_pin(got, envelope, posts_))
    free_.add(got.post, got.id);
}

void Recorder::completed(std::uint64_t post) {
  if (!pins_ || over_ || names_send(post)) return;
  free_.count_receive();
  pins_->completed(post);
}

/// A receive that fails has this outcome only; one that goes on will have another.
void Recorder::lost(ReceiveOp const& op, MessageId const& id) {
  if (over_) return;
  note_received(id);
  auto& got = outcome(OutcomeKind::receive, op.kind);
  got.yes = true;
  got.post = op.post;
  got.selector = trace::selector_of(op.spec);
  got.id = id;
  if (got.names_source()) posts_.take(op.post);
  note_label(got.selector);
  writer_.put(got);
}

void Recorder::received(ReceiveOp const& op, Envelope const& envelope, MessageId const& id) {
  auto const selector = trace::selector_of(op.spec);
  fingerprint_.ask(op.kind, selector);
  if (over_) return;
  posted_ = op.post + 1;
  position_.operation();
  note_received(id);
  if (pins_) pins_->posting(op.spec);
  if (!op.certain())
    put({.post = op.post, .event = event(), .site = site(), .selector = selector, .id = id}, op,
        envelope);
  else if (pins_)
    pins_->matched(op.post, envelope, id);
  completed(op.post);
}

void Recorder::received_narrow(Receipt const& receipt) {
  if (!plain_) [[unlikely]]
    return received_of_parts(receipt);
  fingerprint_.ask(receipt.spec);
  bool const certain = receipt.spec.source() != any_rank;
  if (certain || writer_.put_expected(here_->number, event(), receipt)) return;
  put_unexpected(receipt);
}

void Recorder::received_of_parts(Receipt const& receipt) { Interceptor::received_narrow(receipt); }

void Recorder::put_unexpected(Receipt const& receipt) {
  note_label(trace::selector_of(receipt.spec));
  writer_.put(trace::Received{.post = receipt.post,
                              .event = event(),
                              .site = site(),
                              .selector = trace::selector_of(receipt.spec),
                              .id = receipt.id});
}

void Recorder::answered(ReceiveOp const& op, Envelope const* found, MessageId const& id) {
  bool const taken = found != nullptr && (op.kind == OpKind::try_receive || op.takes);
  if (taken) {
    note_received(id);
    position_.operation();
  }
  if (pins_ && taken) {
    free_.count_receive();
    pins_->taken(op.post, *found, id);
  }
  if (op.kind == OpKind::probe && certain(op)) return;
  auto& answer = outcome(op.kind == OpKind::probe ? OutcomeKind::probe : OutcomeKind::hit, op.kind);
  answer.selector = asked_;
  if (found == nullptr) {
    position_.miss();
    return writer_.miss(answer);
  }
  answer.id = id;
  note_label(asked_);
  writer_.put(answer);
  if (prefix_ && !taken) prefix_->probed(id);
}

void Recorder::tested(TestOp const& op, std::span<const std::uint32_t> positions) {
  fingerprint_.other(op.kind, op.requests);
  auto& answer = outcome(OutcomeKind::tested, op.kind);
  if (positions.empty()) {
    position_.miss();
    return writer_.miss(answer);
  }
  answer.positions.assign(positions.begin(), positions.end());
  writer_.put(answer);
}

void Recorder::cancelled(std::uint64_t post, bool was_cancelled) {
  fingerprint_.other(OpKind::cancel, post);
  auto& answer = outcome(OutcomeKind::cancel, OpKind::cancel);
  answer.post = post;
  answer.yes = was_cancelled;
  if (was_cancelled) posts_.take(post);
  if (was_cancelled && prefix_) prefix_->cancelled(post);
  writer_.put(answer);
}

std::int64_t Recorder::clock_read(std::int64_t now) {
  if (over_) return now;
  fingerprint_.other(OpKind::clock, 0);
  auto& answer = outcome(OutcomeKind::clock, OpKind::clock);
  answer.value = now;
  writer_.put(answer);
  return now;
}

void Recorder::exec_answered(std::uint32_t operation, Bytes, Buffer& answer) {
  if (over_) return;
  fingerprint_.other(OpKind::exec, operation);
  auto& done = outcome(OutcomeKind::exec, OpKind::exec);
  done.count = operation;
  done.value = crc32c(answer.bytes());
  auto const size = std::min(answer.size(), trace::most_text);
  done.text.assign(reinterpret_cast<char const*>(answer.data()), size);
  writer_.put(done);
}

void Recorder::handling(HandlerOp const& op) {
  if (over_) return;
  fingerprint_.other(OpKind::handler, op.point ^ op.handler << 32);
  auto& ran = outcome(OutcomeKind::handler, OpKind::handler);
  ran.count = op.point;
  ran.post = op.handler;
  ran.id = op.id;
  writer_.put(ran);
  interrupted_ = here_->call;
}

void Recorder::handled(HandlerOp const&) { here_ = &sites_.at(interrupted_); }

void Recorder::collective(CollectiveOp const& op) {
  fingerprint_.other(OpKind::collective,
                     op.kind.size() ^ op.bytes << 8 ^ static_cast<std::uint64_t>(op.context));
  if (over_) return;
  position_.operation();
  contributions_.add(trace::sent_to(op, collectives_++));
  if (contributions_.full()) [[unlikely]]
    put_checks(OutcomeKind::contributions, contributions_);
}

void Recorder::shares_memory(std::uint64_t bytes) {
  if (over_) return;
  outcome_ = {.what = OutcomeKind::shared_memory, .count = bytes};
  writer_.put(outcome_);
}

void Recorder::continue_as(std::span<std::string_view const>& arguments) {
  writer_.continue_in(trace::rank_path(Argument{arguments.front()}.folder, rank_));
  arguments = arguments.subspan(1);
}

void Recorder::ended(std::uint64_t unreceived) {
  if (over_) return;
  over_ = true;
  plain_ = false;
  put_checks();
  if (free_.has_uncounted()) {
    outcome_ = {.what = OutcomeKind::free_receives};
    writer_.put(outcome_);
  }
  labels_.note_changed([this](Outcome const& name) { writer_.put(name); });
  for (auto const& posted : posts_.all()) {
    note_label(posted.selector);
    outcome_ = trace::outcome_of(posted);
    outcome_.what = OutcomeKind::pending;
    writer_.put(outcome_);
  }
  writer_.finish(event(), unreceived, fingerprint_.value());
  sites_.forget_recent();  // entered() comes to entered_elsewhere()
  here_ = &sites_.at({});
}

}  // namespace earl::record
