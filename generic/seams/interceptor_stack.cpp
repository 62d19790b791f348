// SPDX-License-Identifier: BSD-3-Clause
#include "generic/seams/interceptor_stack.hpp"

#include <algorithm>

#include "generic/base/error.hpp"

namespace earl {

void Interceptor::continue_as(std::span<std::string_view const>&) {
  throw Error("a debugger of this job cannot be a part of another run");
}

bool InterceptorStack::constrains_matching() const {
  return std::any_of(all_.begin(), all_.end(),
                     [](auto const& one) { return one->constrains_matching(); });
}

void InterceptorStack::entered(Call const& call) {
  for (auto& one : all_) one->entered(call);
}

void InterceptorStack::sending(SendOp const& op) {
  for (auto& one : all_) one->sending(op);
}

bool InterceptorStack::piggybacks() const {
  return std::ranges::any_of(all_, [](auto const& one) { return one->piggybacks(); });
}

std::optional<std::uint64_t> InterceptorStack::piggyback(Rank dest) {
  for (auto& one : all_)
    if (auto const word = one->piggyback(dest)) return word;
  return std::nullopt;
}

void InterceptorStack::piggyback_arrived(MessageId const& id, std::uint64_t word) {
  for (auto& one : all_) one->piggyback_arrived(id, word);
}

/// The strictest.
SendRule InterceptorStack::send_rule() const {
  auto rule = SendRule::as_asked;
  for (auto const& one : all_) rule = std::max(rule, one->send_rule());
  return rule;
}

bool InterceptorStack::stands_still() const {
  return std::ranges::any_of(all_, [](auto const& one) { return one->stands_still(); });
}

bool InterceptorStack::will_be_cancelled(SendOp const& op) {
  return std::any_of(all_.begin(), all_.end(),
                     [&](auto const& one) { return one->will_be_cancelled(op); });
}

Verdict InterceptorStack::posting(ReceiveOp& op) {
  Verdict verdict = Verdict::free;
  for (auto& one : all_) {
    const Verdict mine = one->posting(op);
    if (verdict == Verdict::free) verdict = mine;
  }
  return verdict;
}

void InterceptorStack::matched(ReceiveOp const& op, Envelope const& envelope, MessageId const& id) {
  for (auto& one : all_) one->matched(op, envelope, id);
}

void InterceptorStack::completed(std::uint64_t post) {
  for (auto& one : all_) one->completed(post);
}

void InterceptorStack::received(ReceiveOp const& op, Envelope const& envelope,
                                MessageId const& id) {
  for (auto& one : all_) one->received(op, envelope, id);
}

void InterceptorStack::received_narrow(Receipt const& receipt) {
  for (auto& one : all_) one->received_narrow(receipt);
}

void InterceptorStack::lost(ReceiveOp const& op, MessageId const& id) {
  for (auto& one : all_) one->lost(op, id);
}

MatchOutcome InterceptorStack::match_outcome(ReceiveOp const& op, MessageId const& id) {
  for (auto& one : all_)
    if (auto const outcome = one->match_outcome(op, id); outcome != MatchOutcome::taken)
      return outcome;
  return MatchOutcome::taken;
}

void InterceptorStack::answered(ReceiveOp const& op, Envelope const* found, MessageId const& id) {
  for (auto& one : all_) one->answered(op, found, id);
}

Verdict InterceptorStack::testing(TestOp const& op, std::span<std::uint32_t const>& demanded) {
  Verdict verdict = Verdict::free;
  for (auto& one : all_) {
    std::span<std::uint32_t const> positions;
    const Verdict mine = one->testing(op, positions);
    if (verdict != Verdict::free) continue;
    verdict = mine;
    demanded = positions;
  }
  return verdict;
}

void InterceptorStack::tested(TestOp const& op, std::span<std::uint32_t const> positions) {
  for (auto& one : all_) one->tested(op, positions);
}

std::optional<bool> InterceptorStack::cancelling(std::uint64_t post) {
  std::optional<bool> forced;
  for (auto& one : all_) {
    auto const mine = one->cancelling(post);
    if (!forced) forced = mine;
  }
  return forced;
}

void InterceptorStack::cancelled(std::uint64_t post, bool was_cancelled) {
  for (auto& one : all_) one->cancelled(post, was_cancelled);
}

std::int64_t InterceptorStack::clock_read(std::int64_t now) {
  for (auto& one : all_) now = one->clock_read(now);
  return now;
}

void InterceptorStack::exec_answered(std::uint32_t operation, Bytes request, Buffer& answer) {
  for (auto& one : all_) one->exec_answered(operation, request, answer);
}

Verdict InterceptorStack::handlers_due(HandlerOp& op) {
  Verdict verdict = Verdict::free;
  for (auto& one : all_) {
    HandlerOp asked{.point = op.point};
    const Verdict mine = one->handlers_due(asked);
    if (verdict != Verdict::free) continue;
    verdict = mine;
    op = asked;
  }
  return verdict;
}

void InterceptorStack::handling(HandlerOp const& op) {
  for (auto& one : all_) one->handling(op);
}

void InterceptorStack::handled(HandlerOp const& op) {
  for (auto& one : all_) one->handled(op);
}

void InterceptorStack::collective(CollectiveOp const& op) {
  for (auto& one : all_) one->collective(op);
}

void InterceptorStack::shares_memory(std::uint64_t bytes) {
  for (auto& one : all_) one->shares_memory(bytes);
}

void InterceptorStack::collective_ended(CollectiveOp const& op) {
  for (auto& one : all_) one->collective_ended(op);
}

void InterceptorStack::blocked() {
  for (auto& one : all_) one->blocked();
}

void InterceptorStack::resumed() {
  for (auto& one : all_) one->resumed();
}

bool InterceptorStack::tracks_unreleased_objects() const {
  return std::ranges::any_of(all_,
                             [](auto const& one) { return one->tracks_unreleased_objects(); });
}

void InterceptorStack::unreleased(Unreleased const& objects) {
  for (auto& one : all_) one->unreleased(objects);
}

bool InterceptorStack::watches_sends() const {
  return std::ranges::any_of(all_, [](auto const& one) { return one->watches_sends(); });
}

void InterceptorStack::send_completed(CompletedSend const& send) {
  for (auto& one : all_) one->send_completed(send);
}

bool InterceptorStack::compares_types() const {
  return std::ranges::any_of(all_, [](auto const& one) { return one->compares_types(); });
}

void InterceptorStack::mistyped(Mistyped const& message) {
  for (auto& one : all_) one->mistyped(message);
}

void InterceptorStack::collective_types(CollectiveTypes const& types) {
  for (auto& one : all_) one->collective_types(types);
}

void InterceptorStack::continue_as(std::span<std::string_view const>& arguments) {
  for (auto& one : all_) one->continue_as(arguments);
}

void InterceptorStack::ended(std::uint64_t unreceived) {
  for (auto& one : all_) one->ended(unreceived);
}

}  // namespace earl
