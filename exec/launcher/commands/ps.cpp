// SPDX-License-Identifier: BSD-3-Clause
/// `earl ps`: the user's jobs on this host, and where the processes of one are.
#include <fmt/chrono.h>
#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "debug/symbols/modules.hpp"
#include "debug/symbols/stacks.hpp"
#include "exec/launcher/commands/command_line.hpp"
#include "exec/launcher/commands/commands.hpp"
#include "exec/launcher/commands/json_output.hpp"
#include "exec/launcher/plan.hpp"
#include "exec/launcher/resources/local_jobs.hpp"
#include "generic/base/number.hpp"

namespace earl::exec {

namespace {

constexpr auto time_to_look = std::chrono::milliseconds{200};

std::string_view state_of(LocalProcess const& process) {
  switch (process.state) {
    case 'R':
      return "runs";
    case 'S':
    case 'D':
      return "sleeps";
    case 'T':
    case 't':
      return "stopped";
    case 'Z':
      return "ended";
    default:
      return "?";
  }
}

/// The call into a library that the program is in, and the program's lines; of a process with all
/// ranks, whose code the system's loader does not know, nothing.
std::string where_is(LocalProcess const& process) {
  if (!process.rank || process.state == 'Z') return {};
  auto stack = symbols::stack_of(process.pid, time_to_look);
  auto const first = std::ranges::find_if(stack, symbols::is_of_program);
  if (first == stack.end()) return {};
  std::string call;
  if (first != stack.begin())
    call = symbols::function_of(std::prev(first)->module, std::prev(first)->offset) + " ";
  return call + symbols::calls_text({first, stack.end()});
}

std::string rank_of(LocalProcess const& process) {
  return process.rank ? fmt::format("{}", *process.rank) : "all";
}

void show(std::vector<LocalJob> const& jobs) {
  if (jobs.empty()) fmt::print("no job of yours has processes on this host\n");
  for (auto const& job : jobs)
    fmt::print("{:>8}  {:%H:%M:%S}  {:>5} processes  {}\n", job.exec, job.elapsed,
               job.processes.size(), job.command);
}

void show(LocalJob const& job) {
  fmt::print("{:>6} {:>8}  {:<8} {:<9} {}\n", "RANK", "PID", "STATE", "CPU", "WHERE");
  for (auto const& process : job.processes) {
    auto const where = where_is(process);
    fmt::print("{:>6} {:>8}  {:<8} {:%H:%M:%S}  {}\n", rank_of(process), process.pid,
               state_of(process), process.cpu, where.empty() ? process.program : where);
  }
}

nlohmann::json as_json(LocalJob const& job, bool with_places) {
  auto processes = nlohmann::json::array();
  for (auto const& process : job.processes) {
    processes.push_back({{"pid", process.pid},
                         {"state", state_of(process)},
                         {"cpu_seconds", process.cpu.count()},
                         {"program", process.program}});
    if (process.rank) processes.back()["rank"] = *process.rank;
    if (with_places) processes.back()["where"] = where_is(process);
  }
  return {{"job", job.exec},
          {"command", job.command},
          {"elapsed_seconds", job.elapsed.count()},
          {"processes", std::move(processes)}};
}

nlohmann::json as_json(std::vector<LocalJob> const& jobs) {
  auto all = nlohmann::json::array();
  for (auto const& job : jobs) all.push_back(as_json(job, false));
  return all;
}

LocalJob const& find_job(std::vector<LocalJob> const& jobs, std::string const& name) {
  auto const pid = number_from<pid_t>(name);
  if (!pid) throw UsageError("{} is no process id of an EXEC; `earl ps` lists your jobs", name);
  auto const found = std::ranges::find(jobs, *pid, &LocalJob::exec);
  if (found == jobs.end())
    throw Error("there is no job {} of yours on this host; `earl ps` lists those there are", *pid);
  return *found;
}

}  // namespace

int ps_command(std::vector<std::string> const& arguments) {
  CommandLine line("earl ps",
                   "List your jobs that run on this host: the process id of each job's EXEC, its "
                   "time, how many processes it has here, its command. Of one JOB: each process, "
                   "and the calls in which it is.\n");
  bool json = false;
  std::string name;
  line.add_flag({.names = "--json", .help = "Print JSON"}, json);
  line.add_operand({.names = "JOB", .help = "The process id of its EXEC, as listed"}, name);
  line.parse_all(arguments);
  auto const jobs = local_jobs();
  if (name.empty()) {
    json ? print_json(as_json(jobs)) : show(jobs);
  } else {
    auto const& job = find_job(jobs, name);
    json ? print_json(as_json(job, true)) : show(job);
  }
  return 0;
}

}  // namespace earl::exec
