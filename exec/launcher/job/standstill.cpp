// SPDX-License-Identifier: BSD-3-Clause
/// A job in which nothing moves any more, for debuggers that must not wait for ever.
#include <algorithm>
#include <utility>

#include "exec/launcher/job/job.hpp"
#include "generic/seams/standstill_judge.hpp"

namespace earl::exec {

namespace {

constexpr auto look_again = std::chrono::milliseconds{250};
/// When the job is quiescent and no tool detects that.
constexpr auto look_later = std::chrono::seconds{2};
/// Longer than a process that waits needs to answer, also on a busy machine; one that computes does
/// not answer at all.
constexpr auto time_to_answer = std::chrono::milliseconds{250};
constexpr auto longest_pause = std::chrono::seconds{64};
/// Without a message: worth a sentence.
constexpr auto long_quiet = std::chrono::seconds{10};
/// For all processes that do not answer, together.
constexpr auto most_inspection = std::chrono::milliseconds{1000};
/// Looks in a row at which one that does not answer was found asleep.
constexpr int looks = 3;

StandstillJudge* judge_of(std::unique_ptr<JobInterceptor> const& half) {
  return dynamic_cast<StandstillJudge*>(half.get());
}

std::vector<Need> needs_of(Need need, WaitReason const& reason) {
  need.what = reason.what;
  need.others = reason.others;
  need.from = reason.from;
  if (!reason.all || reason.from.empty()) return {need};
  std::vector<Need> needs;
  for (auto const rank : reason.from) {
    needs.push_back(need);
    needs.back().from = {rank};
  }
  return needs;
}

}  // namespace

bool Job::has_judge() const {
  return std::ranges::any_of(interceptors_,
                             [](auto const& half) { return judge_of(half) != nullptr; });
}

/// The user's own --tool deadlock, too, is one.
bool Job::has_judge_alone() const {
  return std::ranges::any_of(interceptors_, [](auto const& half) {
    auto const* judge = judge_of(half);
    return judge != nullptr && judge->judges_alone();
  });
}

/// Consoles may come to a session server, and to a job with a console, and set its processes going.
/// A shared process reports by itself when its ranks stand still.
void Job::watch_for_standstill() {
  if (!has_judge() || session_server_ || listener_ || housing_) return;
  loop_.after(look_again, [this] { look_for_standstill(); });
  loop_.after(cycle_search_pause_, [this] { find_deadlock_cycles(); });
}

void Job::look_for_standstill() {
  if (alive_ == 0 || ending_ != 0) return;
  loop_.after(quiescence_.stands_still() ? look_later : look_again,
              [this] { look_for_standstill(); });
  if (auto const silent = quiescence_.awaited()) return look_at_silent(*silent);
  asleep_ = 0;
  detector();
}

void Job::detector() {
  std::vector<Rank> ranks;
  for (auto const& [rank, child] : children_) {
    if (!child->alive || child->lingers) continue;
    if (child->registered_pid == 0 || !child->reachable())
      return;  // it cannot be asked: it may do anything
    ranks.push_back(child->rank);
  }
  auto const next = quiescence_.begin(ranks);
  if (!next) return;
  if (!housing_) return inquire(*next);
  // Ranks of a shared process answer in the order of the questions, and none runs in
  // between.
  for (auto const rank : quiescence_.round()) inquire(rank);
}

/// It computes, or it sleeps in a system call of its program. Or its program has ended, and its
/// machine keeps it until all others have: it has nothing more to say.
void Job::look_at_silent(Rank rank) {
  if (child_at(rank).left) {
    child_at(rank).lingers = true;
    return quiescence_.disturbed();
  }
  if (child_at(rank).elsewhere) return;  // it cannot be inspected there: it may move
  asleep_ = sleep_inspector_.holds(child_at(rank).registered_pid) ? asleep_ + 1 : 0;
  if (asleep_ < looks) return;
  asleep_ = 0;
  went_on(quiescence_.sleeps(rank));
}

void Job::inquire(Rank rank) { channels_.send(child_at(rank), control::Type::inquiry, 0, 0, {}); }

void Job::reported(Child& child, Report report) {
  if ((report.question & control::asks_for_call) != 0) return call_reported(child.rank, report);
  if (report.question != 0) return partial_deadlock_.answered(child.rank, std::move(report));
  if (housing_ && report.state == Report::State::moves && !std::exchange(held_off_, true))
    loop_.after(look_again, [this] {
      held_off_ = false;
      if (alive_ != 0) shared_process_stuck();
    });
  went_on(quiescence_.answered(child.rank, std::move(report)));
}

void Job::went_on(std::optional<Rank> next) {
  if (next && !housing_) inquire(*next);
  if (quiescence_.stands_still() && ending_ == 0) judge_standstill();
}

/// Adds EXEC's knowledge: their names, and the wait reasons of those that wait for its answer.
/// Processes that have ended and been forgotten meanwhile are left out.
void Job::complete(std::vector<StoppedProcess>& processes) const {
  std::erase_if(processes,
                [this](StoppedProcess const& one) { return !children_.contains(one.rank); });
  for (auto& [rank, program, report] : processes) {
    program = child_at(rank).program;
    if (report.needs.size() != 1 || report.needs.front().kind != OpKind::exec) continue;
    for (Service const* service : services_)
      if (auto const reason = service->wait_reason_of(rank))
        report.needs = needs_of(report.needs.front(), *reason);
  }
}

void Job::judge_standstill() {
  tell_all();
  if (!spawnings_.empty() || !calls_.empty()) quiescence_.told();
  if (quiescence_.stands_still()) judge(quiescence_.reports());
}

void Job::judge(std::vector<StoppedProcess> processes) {
  complete(processes);
  for (auto const& interceptor : interceptors_) {
    auto* judge = judge_of(interceptor);
    auto const standing = judge != nullptr ? judge->stands_still(processes) : std::nullopt;
    if (!standing) continue;
    say(standing->sentence);
    if (!standing->exit_code) continue;
    for (auto const& half : interceptors_)
      if (auto* hearer = dynamic_cast<StandstillHearer*>(half.get()))
        hearer->stood_still(*standing);
    end(*standing->exit_code, SIGTERM);
    return;
  }
}

/// Some may wait for each other while others go on. Looks more than once, so that nothing has
/// happened in between (the first look begins the counting of polls), and from then on less and
/// less often.
void Job::find_deadlock_cycles() {
  if (alive_ == 0 || ending_ != 0 || std::exchange(searches_cycles_, true)) return;
  ask_all();
  loop_.after(time_to_answer, [this] { ask_all(); });
  loop_.after(2 * time_to_answer, [this] { ask_all(); });
  loop_.after(3 * time_to_answer, [this] { report_deadlock_cycles(); });
}

void Job::ask_all() {
  std::vector<Rank> ranks;
  for (auto const& [rank, child] : children_)
    if (roster_->life(child->rank) != Life::ended) ranks.push_back(child->rank);
  auto const question = partial_deadlock_.begin(ranks);
  for (auto const rank : ranks) {
    auto& child = child_at(rank);
    if (child.alive && !child.lingers && child.registered_pid != 0 && child.reachable() &&
        partial_deadlock_.ask(rank))
      channels_.send(child, control::Type::inquiry, question, 0, {});
  }
}

void Job::report_deadlock_cycles() {
  searches_cycles_ = false;
  if (alive_ == 0 || ending_ != 0) return;
  tell_all();
  for (auto const& spawning : spawnings_) partial_deadlock_.told(process_of(spawning.reply.to));
  for (auto const& asked : calls_) partial_deadlock_.told(process_of(asked.reply.to));
  auto processes = partial_deadlock_.reports();
  complete(processes);
  say_all([&](StandstillJudge& judge) { return judge.some_stand_still(processes); });
  look_for_quiet();
  if (housing_)
    if (auto still = partial_deadlock_.all_still()) judge(std::move(*still));
  if (quiet_ && !said_quiet_)
    loop_.after(
        std::min<Clock::duration>(cycle_search_pause_, quiet_->since + long_quiet - Clock::now()),
        [this] { find_deadlock_cycles(); });
  else if (!housing_)  // that says when to look again
    loop_.after(cycle_search_pause_, [this] { find_deadlock_cycles(); });
  cycle_search_pause_ = std::min<Clock::duration>(2 * cycle_search_pause_, longest_pause);
}

template <class Words>
void Job::say_all(Words words_of) {
  for (auto const& interceptor : interceptors_)
    if (auto* judge = judge_of(interceptor))
      if (auto const sentence = words_of(*judge)) say(*sentence);
}

/// Where no process has received anything for long, and none computes, that is reported once, for
/// any reason.
void Job::look_for_quiet() {
  auto idle = said_quiet_ ? std::nullopt : partial_deadlock_.all_idle();
  auto const state = idle ? state_of(*idle) : std::nullopt;
  if (!state) return quiet_.reset();
  if (!quiet_ || quiet_->state != *state) {
    quiet_ = Quiet{.state = *state, .since = Clock::now()};
    return;
  }
  if (Clock::now() - quiet_->since < long_quiet) return;
  said_quiet_ = true;
  complete(*idle);
  look_into_sleepers(*idle);
  say_all([&](StandstillJudge& judge) { return judge.all_quiet(*idle, long_quiet); });
}

/// Adds stacks of processes that do not answer. EXEC serves nothing else meanwhile.
void Job::look_into_sleepers(std::span<StoppedProcess> processes) const {
  auto const until = Clock::now() + most_inspection;
  for (auto& [rank, program, report] : processes) {
    auto const left = std::chrono::duration_cast<std::chrono::milliseconds>(until - Clock::now());
    if (report.state != Report::State::sleeps || left.count() <= 0) continue;
    SleepInspector::look_into(child_at(rank).registered_pid, left, report);
  }
}

/// Numbers that change when a message is received, or one that does not answer runs. Null: one of
/// those may run, or waits for the user.
std::optional<std::vector<std::uint64_t>> Job::state_of(
    std::span<StoppedProcess const> idle) const {
  std::vector<std::uint64_t> numbers;
  for (auto const& one : idle) {
    numbers.push_back(one.report.traffic);
    if (one.report.state != Report::State::sleeps) continue;
    auto const found = children_.find(one.rank);
    if (housing_ || found == children_.end() || found->second->elsewhere) return std::nullopt;
    auto const trace = SleepInspector::sleeps(found->second->registered_pid);
    if (!trace) return std::nullopt;
    numbers.push_back(trace->ticks);
    numbers.push_back(trace->switches);
  }
  return numbers;
}

/// Answered when both have said where they are, or after a while: one that computes says nothing.
void Job::look_up_calls(PendingReply const& reply, Rank other) {
  const std::uint32_t question = control::asks_for_call | questions_++;
  auto& asked =
      calls_.emplace_back(CallsAsked{.reply = reply, .other = other, .question = question});
  for (auto const rank : {reply.to, other}) {
    auto const found = children_.find(rank);
    bool const answers = found != children_.end() && found->second->alive &&
                         found->second->registered_pid != 0 && found->second->reachable();
    if (answers) channels_.send(*found->second, control::Type::inquiry, question, 0, {});
    if (rank == other) asked.other_answers = answers;
  }
  loop_.after(2 * time_to_answer, [this, question] { answer_calls(question); });
}

void Job::call_reported(Rank from, Report const& report) {
  auto const found = std::ranges::find(calls_, report.question, &CallsAsked::question);
  if (found == calls_.end()) return;
  auto& words = from == found->other ? found->answer.other : found->answer.own;
  words = report.call;
  for (auto const& interceptor : interceptors_)
    if (auto* judge = judge_of(interceptor))
      if (auto const known = judge->call_in_words(report)) words = *known;
  bool const other_known = !found->answer.other.empty() || !found->other_answers;
  if (!found->answer.own.empty() && other_known) answer_calls(report.question);
}

void Job::answer_calls(std::uint32_t question) {
  auto const found = std::ranges::find(calls_, question, &CallsAsked::question);
  if (found == calls_.end()) return;
  auto const asked = *found;
  calls_.erase(found);
  answer(asked.reply, asked.answer);
}

}  // namespace earl::exec
