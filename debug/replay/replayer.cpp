// SPDX-License-Identifier: BSD-3-Clause
#include "debug/replay/replayer.hpp"

#include <fmt/format.h>

#include "debug/trace/codec.hpp"
#include "debug/trace/describe.hpp"
#include "generic/base/crc32c.hpp"
#include "generic/services/operations.hpp"

namespace earl::replay {

using trace::Outcome;
using trace::OutcomeKind;
using trace::Selector;

namespace {

/// From now on only this message will do.
void pin(ReceiveOp& op, MessageId const& id) {
  op.spec.sources = {};
  op.spec.source = id.source;
  op.spec.sequence = id.sequence;
  op.spec.pinned = true;
}

/// Another build puts the same call elsewhere.
bool is_same_site(trace::KnownSite const& recorded, Call const& call) {
  auto const now = trace::site_of(call);
  bool const comparable = !recorded.build_id.empty() && recorded.build_id == now.build_id;
  return recorded.name == now.name && (!comparable || recorded.offset == now.offset);
}

}  // namespace

void Replayer::entered(Call const& call) {
  if (over_) return;
  earlier_[event_ % earlier_.size()] = call_;
  call_ = call;
  here_ = &sites_.at(call);
  ++event_;
  kept_part_.enter(event_);
  if (event_ == stop_.event) [[unlikely]]
    stop_here();
  checkpoint_.before_call(event_);
  if (is_unconstrained()) return;
  fingerprint_.call(here_->hash);
  if (recording_.begins_part(event_)) [[unlikely]]
    sent_ = collectives_ = 0;
  if (event_ > recording_.events()) {
    if (!recording_.complete()) end_of_recording();
    diverged(
        fmt::format("this is one call more than the {} of the recorded run", recording_.events()));
  }
  if (event_ % trace::hash_every == 0) check_hash();
}

void Replayer::sending(SendOp const& op) {
  kept_part_.operation();
  if (over_ || is_unconstrained()) return;
  auto const contents = trace::content_hash(op.payload, sent_++);
  auto const then = recording_.take_send();
  trace::Sent now{.length = op.payload.size(),
                  .dest = number(op.envelope.dest),
                  .tag = number(op.envelope.tag),
                  .check = static_cast<std::uint16_t>(contents)};
  if (then && !recording_.checks_contents()) now.check = then->check;
  fingerprint_.send(now);
  // The last ones of a process that was killed may be unknown.
  if (then && *then != now && recording_.compares(event_)) sent_otherwise(*then, now);
}

void Replayer::check_hash() {
  auto const then = recording_.hash_at(event_);
  auto const now = fingerprint_.value();
  if (then && recording_.is_kept_in_part()) fingerprint_ = {};
  if (then && *then != now && recording_.compares(event_ - trace::hash_every))
    diverged(
        fmt::format("since event {} at the latest it has called something else than recorded, "
                    "or asked for other messages",
                    event_ - trace::hash_every));
}

Verdict Replayer::posting(ReceiveOp& op) {
  if (op.kind == OpKind::receive) kept_part_.operation();
  bool const receives = op.kind == OpKind::receive;
  if (receives)
    checkpoint_.before_receive(op.post);
  else
    checkpoint_.before_question(questions_);
  auto const selector = trace::selector_of(op.spec);
  fingerprint_.ask(op.kind, selector);
  if (auto const* const other = deviations_.receive(op.post); other && receives) {
    if (*other) pin(op, **other);
    return Verdict::free;
  }
  if (!receives)
    if (auto const* const other = deviations_.question(questions_++))
      return answer_otherwise(op, *other);
  if (is_free()) return Verdict::free;
  if (op.kind == OpKind::receive) {
    auto const verdict = posting_receive(op, selector);
    if (op.spec.pinned) ++awaited_;
    return verdict;
  }
  if (is_unconstrained()) {
    question_.emplace(recording_, kept_part_.position()).guard(op);
    return Verdict::free;
  }
  if (op.kind != OpKind::probe) return posting_try(op);
  if (op.certain()) return Verdict::free;
  auto const id = expect(OutcomeKind::probe, op.kind, &selector).id;
  recording_.drop_answer();
  pin(op, id);
  return Verdict::free;
}

Verdict Replayer::posting_receive(ReceiveOp& op, Selector const& selector) {
  if (recording_.was_cancelled(op.post)) {
    op.spec.nothing = true;
    return Verdict::free;
  }
  if (auto const* const failure = recording_.failure_of(op.post)) {
    pin(op, failure->id);
    return Verdict::free;
  }
  if (op.certain()) return Verdict::free;
  if (recording_.is_free(op.post)) {
    free_.try_emplace(op.post, recording_).first->second.guard(op);
    return Verdict::free;
  }
  auto const* const then = recording_.take_receive(op.post);
  if (!then) {
    if (recording_.complete() && !recording_.stayed_open(op.post))
      diverged(fmt::format("the recorded run posted no such receive here; the program now does {}",
                           now_text(op.kind, &selector)));
    op.spec.nothing = true;
    waits_for_nothing_ = event_;
    has_unanswered_ = true;
    return Verdict::free;
  }
  bool const same = op.kind == OpKind::receive && then->event == event_ && same_site(then->site) &&
                    then->selector == selector;
  if (!same) [[unlikely]]
    diverged(outcome_of(*then), op.kind, &selector);
  pin(op, then->id);
  return Verdict::free;
}

void Replayer::answered(ReceiveOp const& op, Envelope const* found, MessageId const&) {
  if (found == nullptr)
    kept_part_.miss();
  else if (op.kind == OpKind::try_receive || op.takes)
    kept_part_.operation();
}

void Replayer::tested(TestOp const&, std::span<const std::uint32_t> positions) {
  if (positions.empty()) kept_part_.miss();
}

void Replayer::matched(ReceiveOp const& op, Envelope const&, MessageId const&) {
  if (op.spec.pinned && awaited_ != 0) --awaited_;
  if (op.spec.guard != nullptr) free_.erase(op.post);
}

void Replayer::lost(ReceiveOp const& op, MessageId const& id) {
  auto const* const loss = recording_.loss_of(id);
  if (op.kind == OpKind::receive && op.spec.pinned && loss && loss->failed && awaited_ != 0)
    --awaited_;
}

/// In the replay a sender may live longer than in the recorded run, so that a message arrives that
/// was lost there.
MatchOutcome Replayer::match_outcome(ReceiveOp const& op, MessageId const& id) {
  if (is_free()) return MatchOutcome::taken;
  auto const* const loss = recording_.loss_of(id);
  if (!loss) return MatchOutcome::taken;
  return loss->failed && loss->post == op.post ? MatchOutcome::lost : MatchOutcome::vanished;
}

Verdict Replayer::posting_try(ReceiveOp& op) {
  if (take_miss(recording_)) return Verdict::no;
  auto const selector = trace::selector_of(op.spec);
  auto const id = expect(OutcomeKind::hit, op.kind, &selector).id;
  recording_.drop_answer();
  pin(op, id);
  return Verdict::yes;
}

Verdict Replayer::answer_otherwise(ReceiveOp& op, trace::PathStep const& step) {
  if (step.message) pin(op, *step.message);
  return step.answer == trace::PathStep::Answer::no ? Verdict::no : Verdict::yes;
}

Verdict Replayer::answer_otherwise(TestOp const& op, trace::PathStep const& step,
                                   std::span<const std::uint32_t>& demanded) {
  if (step.answer == trace::PathStep::Answer::no && op.kind != OpKind::wait_any) return Verdict::no;
  for (auto const position : step.positions)
    if (position >= op.requests)
      diverged(
          fmt::format("the path names request {} of a list that has {}", position, op.requests));
  demanded = step.positions;
  return Verdict::yes;
}

Verdict Replayer::testing(TestOp const& op, std::span<const std::uint32_t>& demanded) {
  checkpoint_.before_question(questions_);
  if (auto const* const other = deviations_.question(questions_++))
    return answer_otherwise(op, *other, demanded);
  if (is_unconstrained()) return Verdict::free;
  fingerprint_.other(op.kind, op.requests);
  if (op.kind == OpKind::test && take_miss(recording_)) return Verdict::no;
  // The recorded run ended while it waited here.
  if (op.kind == OpKind::wait_any && recording_.waits_at_end() && !recording_.next_answer())
    return Verdict::free;
  demanded_.clear();
  for (bool more = true; more;) {
    auto const& then = expect(OutcomeKind::tested, op.kind);
    demanded_.insert(demanded_.end(), then.positions.begin(), then.positions.end());
    more = then.yes;
    recording_.drop_answer();
  }
  for (auto const position : demanded_)
    if (position >= op.requests)
      diverged(fmt::format("the recorded run got request {} of a list that has {} now", position,
                           op.requests));
  demanded = demanded_;
  return Verdict::yes;
}

std::optional<bool> Replayer::cancelling(std::uint64_t post) {
  if (is_unconstrained()) return std::nullopt;
  fingerprint_.other(OpKind::cancel, post);
  auto const& then = expect(OutcomeKind::cancel, OpKind::cancel);
  if (then.post != post)
    diverged(fmt::format("the recorded run cancelled {}, the program now cancels {}",
                         trace::operation_text(then.post), trace::operation_text(post)));
  auto const may = then.yes;
  recording_.drop_answer();
  return may;
}

std::int64_t Replayer::clock_read(std::int64_t now) {
  if (over_ || is_unconstrained()) return now;
  fingerprint_.other(OpKind::clock, 0);
  auto const then = expect(OutcomeKind::clock, OpKind::clock).value;
  recording_.drop_answer();
  return then;
}

void Replayer::exec_answered(std::uint32_t operation, Bytes, Buffer& answer) {
  if (over_ || is_unconstrained()) return;
  fingerprint_.other(OpKind::exec, operation);
  auto const& then = expect(OutcomeKind::exec, OpKind::exec);
  if (then.count != operation)
    diverged(
        fmt::format("the recorded run asked EXEC for operation {}, the program now asks for "
                    "{}",
                    then.count, operation));
  auto const same = then.value == static_cast<std::int64_t>(crc32c(answer.bytes()));
  if (!same && operation == static_cast<std::uint32_t>(Operation::spawn))
    diverged("EXEC started other processes than in the recorded run");
  if (!same) answer = Buffer{Gather{std::as_bytes(std::span{then.text})}};
  recording_.drop_answer();
}

/// Handlers run where they ran then, and nowhere else.
Verdict Replayer::handlers_due(HandlerOp& op) {
  if (over_) return Verdict::no;
  if (is_unconstrained()) return Verdict::free;
  auto const* const then = recording_.next_handler(event_);
  if (then == nullptr || then->count != op.point) return Verdict::no;
  op.handler = then->post;
  op.id = then->id;
  return Verdict::yes;
}

void Replayer::handling(HandlerOp const& op) {
  interrupted_ = call_;
  if (is_unconstrained()) return;
  fingerprint_.other(OpKind::handler, op.point ^ op.handler << 32);
  compare(*recording_.next_handler(event_), OpKind::handler, nullptr);
  recording_.drop_handler();
}

void Replayer::collective(CollectiveOp const& op) {
  fingerprint_.other(OpKind::collective,
                     op.kind.size() ^ op.bytes << 8 ^ static_cast<std::uint64_t>(op.context));
  kept_part_.operation();
  if (over_ || is_unconstrained()) return;
  auto now = trace::sent_to(op, collectives_++);
  auto const then = recording_.take_contribution();
  if (then && !recording_.checks_contents()) now.check = then->check;
  if (then && *then != now && recording_.compares(event_))
    contributed_otherwise(*then, now, op.kind);
}

void Replayer::blocked() {
  if (over_ || is_unconstrained()) return;
  // The last call of a cut record may never have returned.
  if (!recording_.complete() && event_ >= recording_.events()) {
    if (recording_.waits_at_end() || waits_for_recorded()) return;
    end_of_recording();
  }
  if (waits_for_nothing_ == event_ && event_ < recording_.events())
    diverged("it waits for a message that no receive got here in the recorded run");
}

bool Replayer::waits_for_recorded() {
  if (has_unanswered_) return false;
  if (awaited_ != 0) return true;
  auto const* const next = recording_.next_answer();
  return next != nullptr && next->event == event_;
}

void Replayer::ended(std::uint64_t) {
  if (over_) return;
  over_ = true;
  if (is_free() || !recording_.complete()) return;
  if (event_ != recording_.events())
    diverged(fmt::format("the program ends without a further call; the recorded run made {}",
                         trace::counted(recording_.events(), "call", "calls")));
  if (auto const left = recording_.left_over(); left != 0)
    diverged(fmt::format(
        "the program ends without a further call and has not used {} of the recorded outcomes",
        left));
  if (fingerprint_.value() != recording_.ending().hash)
    diverged(
        "up to the end it has called something else than recorded, or asked for other "
        "messages");
}

Outcome const& Replayer::expect(OutcomeKind what, OpKind kind, Selector const* selector) {
  auto const* const next = recording_.next_answer();
  if (next == nullptr) {
    if (!recording_.complete()) end_of_recording();
    diverged(fmt::format("the recorded run got no later answer to a poll; the program now does {}",
                         now_text(kind, selector)));
  }
  if (next->what != what) diverged(*next, kind, selector);
  compare(*next, kind, selector);
  return *next;
}

void Replayer::compare(Outcome const& then, OpKind kind, Selector const* selector) {
  if (then.kind != kind || then.event != event_ || !same_site(then.site) ||
      (selector != nullptr && then.selector != *selector))
    diverged(then, kind, selector);
}

bool Replayer::same_site(std::uint32_t then) {
  if (here_->number == then && then != trace::no_site) [[likely]]
    return true;
  auto const same = is_same_site(recording_.sites().at(then), call_);
  if (same) sites_.set_number(*here_, then);
  return same;
}

}  // namespace earl::replay
