// SPDX-License-Identifier: BSD-3-Clause
#include "exec/launcher/job/call_lookup.hpp"

#include <algorithm>

#include "generic/seams/standstill_judge.hpp"

namespace earl::exec {

namespace {

constexpr auto time_to_look_up = std::chrono::milliseconds{500};

}  // namespace

void CallLookup::look_up(PendingReply const& reply, Rank other) {
  const std::uint32_t number = control::asks_for_call | asked_++;
  auto& question = open_.emplace_back(Question{.reply = reply, .other = other, .number = number});
  for (auto const rank : {reply.to, other}) {
    auto* const child = parts_.children.find(rank);
    bool const answers = child && child->alive() && child->reachable();
    if (answers && child->registered_pid != 0) ask(*child, number);
    if (rank == other) question.other_answers = answers;
  }
  parts_.loop.after(time_to_look_up, [this, number] { answer(number); });
}

void CallLookup::ask(Child& child, std::uint32_t number) {
  parts_.channels.send(child, control::Type::inquiry, number, 0, {});
}

void CallLookup::registered(Child& child) {
  for (auto const& question : open_)
    if (question.other == child.rank) ask(child, question.number);
}

void CallLookup::reported(Rank from, Report const& report) {
  auto const found = std::ranges::find(open_, report.question, &Question::number);
  if (found == open_.end()) return;
  auto& call = from == found->other ? found->answer.other : found->answer.own;
  call = report.call;
  for (auto* const judge : parts_.interceptors.all_implementing<StandstillJudge>())
    if (auto const known = judge->call_text(report)) call = *known;
  bool const other_known = !found->answer.other.empty() || !found->other_answers;
  if (!found->answer.own.empty() && other_known) answer(report.question);
}

std::vector<Rank> CallLookup::waiting() const {
  std::vector<Rank> ranks;
  for (auto const& question : open_) ranks.push_back(process_of(question.reply.to));
  return ranks;
}

void CallLookup::answer(std::uint32_t number) {
  auto const found = std::ranges::find(open_, number, &Question::number);
  if (found == open_.end()) return;
  auto const question = *found;
  open_.erase(found);
  context_.answer(question.reply, question.answer);
}

}  // namespace earl::exec
