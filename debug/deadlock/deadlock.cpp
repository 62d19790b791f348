// SPDX-License-Identifier: BSD-3-Clause
#include "debug/deadlock/deadlock.hpp"

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <fstream>
#include <utility>

#include "debug/deadlock/explain.hpp"
#include "debug/deadlock/places.hpp"
#include "generic/base/error.hpp"
#include "generic/seams/standstill_judge.hpp"

namespace earl {

namespace {

enum class Manner { end, watch, say };

class DeadlockJudge final : public JobInterceptor, public StandstillJudge {
 public:
  DeadlockJudge(Manner manner, std::string_view file) : manner_(manner), file_(file) {}

  std::optional<StandstillVerdict> judge_quiescence(
      std::span<WaitingProcess const> processes) override {
    if (done_ || sleepers(processes)) return std::nullopt;
    auto const found = deadlock::find_deadlock(deadlock::graph_of(processes));
    if (found.stuck.empty()) return std::nullopt;
    if (std::ranges::any_of(processes, polls)) return polling(found, processes);
    done_ = true;
    auto const sentence = describe(found, processes);
    if (manner_ == Manner::say)
      return StandstillVerdict{.exit_code = {}, .sentence = sentence + std::string{goes_on}};
    return StandstillVerdict{.exit_code = deadlock_code,
                             .sentence = sentence,
                             .waits = deadlock::waits_of(found, processes)};
  }

  /// Again only of others.
  std::optional<std::string> report_partial_deadlock(
      std::span<WaitingProcess const> processes) override {
    auto const found = deadlock::find_deadlock(deadlock::graph_of(processes));
    std::vector<Rank> stuck;
    for (auto const one : found.stuck) stuck.push_back(processes[one].rank);
    if (done_ || stuck.empty() || stuck.size() == processes.size() || stuck == reported_)
      return std::nullopt;
    reported_ = std::move(stuck);
    return describe(found, processes) + std::string{goes_on};
  }

  std::optional<std::string> report_inactivity(std::span<WaitingProcess const> processes,
                                               std::chrono::seconds span) override {
    if (done_ || reported_polling_ || !reported_.empty()) return std::nullopt;
    return deadlock::quiet_text(processes, span) + std::string{goes_on};
  }

  std::optional<std::string> call_text(Report const& report) override {
    if (report.stack.empty()) return report.call;
    return report.call + " at " + deadlock::Places{}.line(report.stack.front());
  }

 private:
  static constexpr std::string_view goes_on = "\n  the job goes on";
  /// A loop that polls and counts cannot be distinguished from one that never ends; none counts
  /// that far.
  static constexpr std::uint64_t endless = 1'000'000'000;

  static bool polls(WaitingProcess const& one) {
    return one.report.state == Report::State::polling;
  }

  /// Processes poll, and the others wait. One that polls may do so until it is late, which shows
  /// only where its looks at the clock are seen: elsewhere nothing is ended.
  std::optional<StandstillVerdict> polling(deadlock::Deadlock const& found,
                                           std::span<WaitingProcess const> processes) {
    bool const for_ever = std::ranges::all_of(processes, [](auto const& one) {
      return !polls(one) || (one.report.sees_clocks && one.report.polls >= endless);
    });
    if (manner_ == Manner::end && for_ever) {
      done_ = true;
      return StandstillVerdict{.exit_code = deadlock_code,
                               .sentence = describe(found, processes) + std::string{reads_no_clock},
                               .waits = deadlock::waits_of(found, processes)};
    }
    if (std::exchange(reported_polling_, true)) return std::nullopt;
    return StandstillVerdict{.exit_code = {},
                             .sentence = describe(found, processes) + std::string{goes_on}};
  }
  static constexpr std::string_view reads_no_clock =
      "\n  it has polled a thousand million times since, and read no clock";

  std::string describe(deadlock::Deadlock const& found,
                       std::span<WaitingProcess const> processes) const {
    auto sentence = deadlock::to_text(found, processes);
    if (!file_.empty()) sentence += "\n  " + write(found, processes);
    return sentence;
  }

  /// A process that sleeps in the program's own code may be woken by anything.
  static bool sleepers(std::span<WaitingProcess const> processes) {
    return std::ranges::any_of(
        processes, [](auto const& one) { return one.report.state == Report::State::sleeping; });
  }

  /// Reports the outcome.
  std::string write(deadlock::Deadlock const& found,
                    std::span<WaitingProcess const> processes) const {
    auto const text = file_.ends_with(".dot") ? deadlock::in_dot(found, processes)
                                              : deadlock::in_json(found, processes);
    errno = 0;
    std::ofstream out(file_, std::ios::binary | std::ios::trunc);
    out << text << std::flush;
    if (!out) return "the graph could not be written to " + file_ + ": " + system_message(errno);
    return "the graph is in " + file_;
  }

  Manner manner_;
  std::string file_;
  bool done_ = false;
  bool reported_polling_ = false;  ///< polling that may end by itself
  std::vector<Rank> reported_{};   ///< last, while others went on
};

std::unique_ptr<JobInterceptor> in_exec(std::string_view argument, JobInfo const&) {
  if (argument == "watch") return std::make_unique<DeadlockJudge>(Manner::watch, "");
  if (argument == "say") return std::make_unique<DeadlockJudge>(Manner::say, "");
  if (!argument.empty() && !argument.ends_with(".dot") && !argument.ends_with(".json"))
    throw Error(Fault::bad_request,
                "--tool deadlock={}: the graph is written to a file named *.dot or *.json",
                argument);
  return std::make_unique<DeadlockJudge>(Manner::end, argument);
}

}  // namespace

constinit Tool const deadlock_tool{.name = "deadlock",
                                   .summary =
                                       "ends a job in which no process can continue and says "
                                       "why; =FILE.dot or FILE.json: the graph",
                                   .in_process = nullptr,
                                   .in_exec = in_exec};

}  // namespace earl
