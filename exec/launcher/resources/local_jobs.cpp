// SPDX-License-Identifier: BSD-3-Clause
#include "exec/launcher/resources/local_jobs.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <map>

#include "exec/launcher/settings/environment.hpp"
#include "exec/runtime/control.hpp"
#include "exec/runtime/job_mark.hpp"
#include "generic/base/number.hpp"
#include "generic/base/words.hpp"
#include "generic/system/process_stat.hpp"
#include "generic/system/read_file.hpp"

namespace earl::exec {

namespace {

namespace fs = std::filesystem;

// Fields of /proc/PID/stat.
constexpr int state_field = 3;
constexpr int user_ticks_field = 14;
constexpr int system_ticks_field = 15;

std::string proc_file(pid_t pid, std::string_view name) {
  return read_file(fmt::format("/proc/{}/{}", pid, name)).value_or("");
}

std::string command_of(pid_t pid) {
  auto arguments = split_at_zeros(proc_file(pid, "cmdline"));
  if (!arguments.empty()) arguments.front() = fs::path(arguments.front()).filename().string();
  return fmt::format("{}", fmt::join(arguments, " "));
}

std::chrono::seconds ticks(std::optional<std::string> const& field) {
  auto const count = number_from<long>(field.value_or("0")).value_or(0);
  return std::chrono::seconds{count / ::sysconf(_SC_CLK_TCK)};
}

std::chrono::seconds uptime() {
  auto const text = read_file("/proc/uptime").value_or("0");
  return std::chrono::seconds{number_from<long>(text.substr(0, text.find('.'))).value_or(0)};
}

/// Null: it has ended.
std::optional<LocalProcess> process_at(pid_t pid, std::optional<unsigned> rank) {
  auto const state = stat_field(pid, state_field);
  if (!state) return std::nullopt;
  return LocalProcess{
      .pid = pid,
      .rank = rank,
      .state = state->front(),
      .cpu = ticks(stat_field(pid, user_ticks_field)) + ticks(stat_field(pid, system_ticks_field)),
      .program = command_of(pid)};
}

/// The parent of the processes that no process of the job has started: a wrapper is one of the job,
/// too.
pid_t parent_of_job(LocalJob const& job) {
  for (auto const& process : job.processes) {
    auto const parent = parent_of(process.pid).value_or(0);
    if (std::ranges::count(job.processes, parent, &LocalProcess::pid) == 0) return parent;
  }
  return 0;
}

}  // namespace

std::optional<JobPlace> place_in_job(std::vector<std::string> const& environment) {
  auto const marks = value_of(environment, mark_variable).value_or("");
  if (marks.empty() || !value_of(environment, control::variable)) return std::nullopt;
  auto const rank = value_of(environment, control::rank_variable).value_or("");
  return JobPlace{.mark = marks.substr(marks.rfind(',') + 1), .rank = number_from<unsigned>(rank)};
}

std::vector<LocalJob> local_jobs() {
  std::map<std::string, LocalJob> jobs;
  std::error_code error;
  for (auto const& entry : fs::directory_iterator("/proc", error)) {
    auto const pid = number_from<pid_t>(entry.path().filename().string());
    if (!pid) continue;
    auto const place = place_in_job(split_at_zeros(proc_file(*pid, "environ")));
    if (!place) continue;
    auto const process = process_at(*pid, place->rank);
    if (!process) continue;
    auto& job = jobs[place->mark];
    job.elapsed = std::max(job.elapsed, uptime() - ticks(start_of(*pid)));
    job.processes.push_back(*process);
  }
  std::vector<LocalJob> found;
  for (auto& [mark, job] : jobs) {
    job.exec = parent_of_job(job);
    job.command = command_of(job.exec);
    std::ranges::sort(job.processes, {}, [](auto const& process) {
      return std::pair{process.rank, process.pid};
    });
    found.push_back(std::move(job));
  }
  std::ranges::stable_sort(found, std::greater{}, &LocalJob::elapsed);
  return found;
}

}  // namespace earl::exec
