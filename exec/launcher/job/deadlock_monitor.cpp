// SPDX-License-Identifier: BSD-3-Clause
#include "exec/launcher/job/deadlock_monitor.hpp"

#include <algorithm>
#include <utility>

#include "exec/launcher/children/child_end.hpp"
#include "generic/seams/standstill_judge.hpp"

namespace earl::exec {

namespace {

constexpr auto look_again = std::chrono::milliseconds{250};
/// Many programs that are wrong are stuck at once. Also between the two rounds that find all
/// processes waiting.
constexpr auto look_soon = std::chrono::milliseconds{20};
/// Rounds take no more than one part in so many of the time, but for those of a busy host.
constexpr int most_share = 50;
constexpr auto longest_round = std::chrono::milliseconds{20};
/// When the job stands still and no tool looks for that.
constexpr auto look_later = std::chrono::seconds{2};
/// Longer than a process that waits needs to answer, also on a busy host; one that computes does
/// not answer at all.
constexpr auto time_to_answer = std::chrono::milliseconds{250};
constexpr auto longest_pause = std::chrono::seconds{64};
/// Without a message: the user gets a report.
constexpr auto long_quiet = std::chrono::seconds{10};
/// For all processes that do not answer, together.
constexpr auto most_inspection = std::chrono::milliseconds{1000};
/// Inspections in a row at which one that does not answer must sleep.
constexpr int inspections = 3;

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

bool DeadlockMonitor::has_judge() const {
  return !parts_.interceptors.all_implementing<StandstillJudge>().empty();
}

void DeadlockMonitor::start() {
  if (!has_judge() || client_.accepts_guests() || parts_.shared_process) return;
  for (auto pause = look_soon; pause < look_again; pause *= 2) check_again(pause);
  parts_.loop.after(look_again, [this] { check_quiescence(); });
  parts_.loop.after(search_pause_, [this] { find_deadlock_cycles(); });
}

bool DeadlockMonitor::is_over() const { return parts_.children.alive() == 0 || client_.ending(); }

void DeadlockMonitor::check_quiescence() {
  if (is_over()) return;
  auto const pause = std::max<Clock::duration>(look_again, most_share * round_took_);
  parts_.loop.after(quiescence_.is_quiescent() ? look_later : pause,
                    [this] { check_quiescence(); });
  checks_again_ = true;
  if (auto const silent = quiescence_.awaited()) return inspect_silent(*silent);
  asleep_ = 0;
  begin_round();
}

void DeadlockMonitor::check_again(Clock::duration pause) {
  parts_.loop.after(pause, [this] {
    if (!is_over()) begin_round_if_unknown();
  });
}

void DeadlockMonitor::begin_round_if_unknown() {
  if (!quiescence_.awaited() && !quiescence_.is_quiescent()) begin_round();
}

void DeadlockMonitor::begin_round() {
  round_began_ = Clock::now();
  inspected_ = false;
  std::vector<Rank> ranks;
  for (auto const& [rank, child] : parts_.children.all()) {
    if (!child.alive() || child.phase == Phase::lingering) continue;
    if (child.registered_pid == 0 || !child.reachable())
      return;  // it cannot be asked: it may do anything
    ranks.push_back(child.rank);
  }
  auto const next = quiescence_.begin(ranks);
  if (!next) return;
  if (!parts_.shared_process) return inquire(*next, 0);
  // Ranks of a shared process cost less when they are asked together.
  early_.clear();
  for (auto const rank : quiescence_.round()) inquire(rank, 0);
}

/// It computes, or it sleeps in a system call of its program. Or its program has ended, and its
/// back end keeps it until all others have: it has nothing more to say.
void DeadlockMonitor::inspect_silent(Rank rank) {
  auto& child = parts_.children.at(rank);
  if (child.left()) {
    child.phase = Phase::lingering;
    return quiescence_.disturbed();
  }
  inspected_ = true;
  if (child.is_remote()) return;  // it cannot be inspected there: it may move
  asleep_ = sleep_inspector_.holds(child.registered_pid) ? asleep_ + 1 : 0;
  if (asleep_ < inspections) return;
  asleep_ = 0;
  continue_round(quiescence_.sleeps(rank));
}

void DeadlockMonitor::inquire(Rank rank, std::uint32_t question) {
  parts_.channels.send(parts_.children.at(rank), control::Type::inquiry, question, 0, {});
}

void DeadlockMonitor::reported(Rank from, Report report) {
  if (report.question != 0) return partial_deadlock_.answered(from, std::move(report));
  if (parts_.shared_process && report.state == Report::State::running &&
      !std::exchange(held_off_, true))
    parts_.loop.after(look_again, [this] {
      held_off_ = false;
      if (parts_.children.alive() != 0) shared_process_stuck();
    });
  if (parts_.shared_process && quiescence_.awaited() && quiescence_.awaited() != from) {
    early_.insert_or_assign(from, std::move(report));
    return;
  }
  continue_round(quiescence_.answered(from, std::move(report)));
  take_early_answers();
}

/// With a seed, ranks of a shared process answer in any order.
void DeadlockMonitor::take_early_answers() {
  while (auto const rank = quiescence_.awaited()) {
    auto answer = early_.extract(*rank);
    if (!answer) return;
    continue_round(quiescence_.answered(*rank, std::move(answer.mapped())));
  }
}

void DeadlockMonitor::notified(Rank rank) {
  quiescence_.notified();
  partial_deadlock_.notified(rank);
}

void DeadlockMonitor::continue_round(std::optional<Rank> next) {
  if (next && !parts_.shared_process) inquire(*next, 0);
  if (quiescence_.all_wait() && !parts_.shared_process) {
    round_took_ = inspected_
                      ? Clock::duration::zero()
                      : std::min<Clock::duration>(Clock::now() - round_began_, longest_round);
    if (std::exchange(checks_again_, false)) check_again(look_soon);
  }
  if (quiescence_.is_quiescent() && !client_.ending()) judge_quiescence();
}

/// Adds what EXEC knows: the names of programs, and the processes that those wait for who wait for
/// an answer of EXEC. Drops processes that have ended and are forgotten meanwhile.
void DeadlockMonitor::complete(std::vector<WaitingProcess>& processes) const {
  std::erase_if(processes,
                [this](WaitingProcess const& one) { return !parts_.children.find(one.rank); });
  for (auto& [rank, program, report] : processes) {
    program = parts_.children.at(rank).program;
    if (report.needs.size() != 1 || report.needs.front().kind != OpKind::exec) continue;
    for (Service const* service : parts_.services)
      if (auto const reason = service->wait_reason_of(rank))
        report.needs = needs_of(report.needs.front(), *reason);
  }
}

void DeadlockMonitor::judge_quiescence() {
  client_.read_output();
  if (!client_.being_served().empty()) quiescence_.notified();
  if (quiescence_.is_quiescent()) judge(quiescence_.reports());
}

void DeadlockMonitor::judge(std::vector<WaitingProcess> processes) {
  complete(processes);
  for (auto* const judge : parts_.interceptors.all_implementing<StandstillJudge>()) {
    auto const verdict = judge->judge_quiescence(processes);
    if (!verdict) continue;
    client_.report(verdict->sentence + (verdict->exit_code ? ended_text() : ""));
    if (!verdict->exit_code) continue;
    for (auto* const listener : parts_.interceptors.all_implementing<StandstillListener>())
      listener->quiescence_judged(*verdict);
    client_.end(*verdict->exit_code);
    return;
  }
}

/// Lines about processes that have ended before the others could not go on: often the cause.
std::string DeadlockMonitor::ended_text() const {
  constexpr std::size_t most = 4;
  std::string text;
  std::size_t count = 0;
  for (auto const& [rank, child] : parts_.children.all()) {
    bool const over = child.phase == Phase::ended || child.left();
    if (!over || child.is_forked() || ++count > most) continue;
    text += fmt::format("\n  {} {} before", describe(child), end_text(child));
  }
  if (count > most) text += fmt::format("\n  and {} others have ended before", count - most);
  return text;
}

/// Some may wait for each other while others go on. Asks more than once, so that nothing has
/// happened in between (the first question begins the counting of polls), and from then on less and
/// less often.
void DeadlockMonitor::find_deadlock_cycles() {
  if (is_over() || std::exchange(searching_, true)) return;
  ask_all();
  parts_.loop.after(time_to_answer, [this] { ask_all(); });
  parts_.loop.after(2 * time_to_answer, [this] { ask_all(); });
  parts_.loop.after(3 * time_to_answer, [this] { report_deadlock_cycles(); });
}

void DeadlockMonitor::ask_all() {
  std::vector<Rank> ranks;
  for (auto const& [rank, child] : parts_.children.all())
    if (parts_.roster.state(child.rank) != RankState::ended) ranks.push_back(child.rank);
  auto const question = partial_deadlock_.begin(ranks);
  for (auto const rank : ranks) {
    auto const& child = parts_.children.at(rank);
    if (child.alive() && child.phase != Phase::lingering && child.registered_pid != 0 &&
        child.reachable() && partial_deadlock_.ask(rank))
      inquire(rank, question);
  }
}

void DeadlockMonitor::report_deadlock_cycles() {
  searching_ = false;
  if (is_over()) return;
  client_.read_output();
  for (auto const rank : client_.being_served()) partial_deadlock_.notified(rank);
  auto processes = partial_deadlock_.reports();
  complete(processes);
  for (auto* const judge : parts_.interceptors.all_implementing<StandstillJudge>())
    if (auto const sentence = judge->report_partial_deadlock(processes)) client_.report(*sentence);
  report_quiet();
  if (parts_.shared_process)
    if (auto still = partial_deadlock_.all_still()) judge(std::move(*still));
  search_later();
}

/// A shared process says by itself when to search again, unless the job is quiet.
void DeadlockMonitor::search_later() {
  auto pause = search_pause_;
  search_pause_ = std::min<Clock::duration>(2 * search_pause_, longest_pause);
  if (quiet_ && !quiet_reported_)
    pause = std::min<Clock::duration>(pause, quiet_->since + long_quiet - Clock::now());
  else if (parts_.shared_process)
    return;
  parts_.loop.after(pause, [this] { find_deadlock_cycles(); });
}

/// Once: no process has received anything for long, and none computes, for whatever reason.
void DeadlockMonitor::report_quiet() {
  auto idle = quiet_reported_ ? std::nullopt : partial_deadlock_.all_idle();
  auto const state = idle ? state_of(*idle) : std::nullopt;
  if (!state) return quiet_.reset();
  if (!quiet_ || quiet_->state != *state) {
    quiet_ = Quiet{.state = *state, .since = Clock::now()};
    return;
  }
  if (Clock::now() - quiet_->since < long_quiet) return;
  quiet_reported_ = true;
  complete(*idle);
  look_into_sleepers(*idle);
  for (auto* const judge : parts_.interceptors.all_implementing<StandstillJudge>())
    if (auto const sentence = judge->report_inactivity(*idle, long_quiet))
      client_.report(*sentence);
}

/// Adds stacks of processes that do not answer. EXEC serves nothing else meanwhile.
void DeadlockMonitor::look_into_sleepers(std::span<WaitingProcess> processes) const {
  auto const until = Clock::now() + most_inspection;
  for (auto& [rank, program, report] : processes) {
    auto const left = std::chrono::duration_cast<std::chrono::milliseconds>(until - Clock::now());
    if (report.state != Report::State::sleeping || left.count() <= 0) continue;
    SleepInspector::look_into(parts_.children.at(rank).registered_pid, left, report);
  }
}

/// Numbers that change when a message is received, or one that does not answer runs. Null: one of
/// those may run, or waits for the user.
std::optional<std::vector<std::uint64_t>> DeadlockMonitor::state_of(
    std::span<WaitingProcess const> idle) const {
  std::vector<std::uint64_t> numbers;
  for (auto const& one : idle) {
    numbers.push_back(one.report.traffic);
    if (one.report.state != Report::State::sleeping) continue;
    auto const* const child = parts_.children.find(one.rank);
    if (parts_.shared_process || !child || child->is_remote()) return std::nullopt;
    auto const trace = SleepInspector::sleeps(child->registered_pid);
    if (!trace) return std::nullopt;
    numbers.push_back(trace->ticks);
    numbers.push_back(trace->switches);
  }
  return numbers;
}

/// A rank that is asked answers and waits again, so that the shared process is stuck once more: two
/// rounds, and quiescence is known, at once and in every run alike.
void DeadlockMonitor::shared_process_stuck() {
  if (held_off_ || !has_judge() || client_.accepts_guests() || client_.ending()) return;
  begin_round_if_unknown();
}

/// A rank that waits for something else than the time may be in a deadlock.
void DeadlockMonitor::shared_process_sleeps() {
  if (has_judge() && !client_.accepts_guests()) find_deadlock_cycles();
}

}  // namespace earl::exec
