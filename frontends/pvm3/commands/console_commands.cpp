// SPDX-License-Identifier: BSD-3-Clause
// The commands of the console, each a row in the table at the end.
#include <fmt/format.h>
#include <poll.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <csignal>
#include <filesystem>
#include <optional>
#include <set>

#include "exec/launcher/plan.hpp"
#include "frontends/pvm3/commands/console.hpp"
#include "generic/base/number.hpp"
#include "generic/services/store.hpp"

namespace earl::exec {

namespace {

using Arguments = std::vector<std::string>;

// PVM's task numbers: the host's, from 1, times 0x40000, and the process's, from 1. Here all
// processes have their ids in EXEC's services (see process_of()).
constexpr std::uint32_t per_host = 0x40000;

constexpr int longest_shutdown =
    30'000;  ///< milliseconds; EXEC ends all by force after two seconds

std::uint32_t first_task_on(std::uint32_t host) { return per_host * (host + 1) + 1; }

std::string task_of(SessionClient const& job, Rank rank) {
  auto const* row = job.table().find(process_of(rank));
  if (!row) return "-";
  return fmt::format("t{:x}", first_task_on(row->visible_host) + short_name_of(rank));
}

/// Throws UsageError.
Rank rank_of(SessionClient const& job, std::string const& word) {
  auto const digits = std::string_view(word).substr(word.starts_with('t') ? 1 : 0);
  auto const value = number_from<std::uint32_t>(digits, 16);
  auto const id = value && *value != 0 ? job.table().named((*value - 1) % per_host) : no_rank;
  if (!value || task_of(job, id) != fmt::format("t{:x}", *value))
    throw UsageError("{}: there is no such task; `ps` lists them", word);
  return id;
}

/// 1 to 64.
int signal_of(std::string const& word) {
  auto const value = number_from<int>(word);
  if (!value || *value < 1 || *value > SIGRTMAX)
    throw UsageError("{}: this is no number of a signal (1 to {})", word, SIGRTMAX);
  return *value;
}

bool is_console(IdRow const& row) { return front_end_of(row) == "earl"; }

/// The tasks that are there, consoles included.
std::vector<Rank> present(SessionClient& job) {
  auto const list = job.ask<ProcessList>(Operation::processes, Nothing{});
  std::vector<Rank> ranks;
  job.table().each([&](Rank rank, IdRow const&) {
    if (auto const id = list.id_of(rank)) ranks.push_back(*id);
  });
  return ranks;
}

void send_signal(SessionClient& job, Rank target, int signal) {
  auto const answer = job.ask<StatusAnswer>(
      Operation::signal, SignalRequest{.target = process_of(target), .signal = signal});
  if (!answer.alive) fmt::print("{}: it has ended already\n", task_of(job, target));
}

std::vector<HostFacts> hosts_of(SessionClient& job) {
  return job.ask<HostList>(Operation::hosts, Nothing{}).hosts;
}

After conf(SessionClient& job, Arguments const&) {
  auto const hosts = hosts_of(job);
  fmt::print("{} host{}, 1 data format\n", hosts.size(), hosts.size() == 1 ? "" : "s");
  fmt::print("{:>24} {:>8} {:>8} {:>7}\n", "HOST", "DTID", "ARCH", "CPUS");
  auto id = per_host;
  for (auto const& host : hosts) {
    fmt::print("{:>24} {:>8x} {:>8} {:>7}\n", host.name, id, "LINUX64", host.processors);
    id += per_host;
  }
  return After::go_on;
}

After ps(SessionClient& job, Arguments const&) {
  auto const hosts = hosts_of(job);
  fmt::print("{:>8} {:>8} {:>12} {:>8} {:>9}  {}\n", "TID", "PTID", "HOST", "PID", "API",
             "COMMAND");
  for (auto const rank : present(job)) {
    auto const& row = *job.table().find(process_of(rank));
    fmt::print("{:>8} {:>8} {:>12} {:>8} {:>9}  {}\n", task_of(job, rank),
               task_of(job, Rank{row.parent}), hosts.at(row.visible_host).name, row.unix_pid,
               front_end_of(row), is_console(row) ? "(console)" : program_of(row));
  }
  return After::go_on;
}

/// The number of tasks, and their hosts by number; none: anywhere.
struct SpawnOptions {
  std::uint32_t count = 1;
  std::vector<std::uint32_t> hosts{};
};

/// "-4" is how many, "-b" the host b; "->" is what happens anyway.
SpawnOptions take_spawn_options(SessionClient& job, Arguments& arguments) {
  SpawnOptions options;
  while (!arguments.empty() && arguments.front().starts_with('-')) {
    auto const word = arguments.front();
    auto const option = std::string_view(word).substr(1);
    arguments.erase(arguments.begin());
    if (option == ">") continue;
    if (auto const count = number_from<std::uint32_t>(option).value_or(0)) {
      options.count = count;
      continue;
    }
    auto const hosts = hosts_of(job);
    auto const host = std::ranges::find(hosts, option, &HostFacts::name);
    if (host == hosts.end())
      throw UsageError(
          "spawn {}: here are -N, how many, -HOST, where, of those that `conf` lists, and ->, to "
          "the console",
          word);
    options.hosts = {static_cast<std::uint32_t>(host - hosts.begin())};
  }
  return options;
}

After spawn(SessionClient& job, Arguments const& given) {
  auto arguments = given;
  auto const options = take_spawn_options(job, arguments);
  if (arguments.empty())
    throw UsageError("spawn: which program? For example: spawn -4 -> ./worker");
  auto const here = std::filesystem::current_path().string();
  auto const answer = job.ask<SpawnAnswer>(
      Operation::spawn, SpawnRequest{.program = arguments.front(),
                                     .arguments = {arguments.begin() + 1, arguments.end()},
                                     .search = {here},
                                     .folder = here,
                                     .count = options.count,
                                     .hosts = options.hosts});
  if (answer.fault != SpawnFault::none) fmt::print("{}\n", answer.why);
  fmt::print("{} successful\n", answer.ranks.size());
  for (auto const rank : answer.ranks) fmt::print("{}\n", task_of(job, rank));
  return After::go_on;
}

After kill(SessionClient& job, Arguments const& arguments) {
  if (arguments.empty()) throw UsageError("kill: which task? `ps` lists them");
  for (auto const& word : arguments) send_signal(job, rank_of(job, word), SIGTERM);
  return After::go_on;
}

After sig(SessionClient& job, Arguments const& arguments) {
  if (arguments.size() < 2) throw UsageError("sig: a number and a task are needed");
  int const signal = signal_of(arguments.front());
  for (std::size_t i = 1; i < arguments.size(); ++i)
    send_signal(job, rank_of(job, arguments[i]), signal);
  return After::go_on;
}

After pstat(SessionClient& job, Arguments const& arguments) {
  auto const there = present(job);
  for (auto const& word : arguments) {
    auto const rank = rank_of(job, word);
    fmt::print("{} {}\n", task_of(job, rank),
               std::ranges::count(there, rank) != 0 ? "is there" : "has ended");
  }
  return After::go_on;
}

/// The tasks whose PvmNoReset is set: PVM keeps them as entries of a class of its own.
std::set<Rank> spared(SessionClient& job) {
  std::set<Rank> ranks;
  for (auto const& entry : job.ask<StoreListing>(Operation::store_list, Nothing{}).entries)
    if (entry.name == "###_PVM_NO_RESET_###") ranks.insert(entry.owner);
  return ranks;
}

After reset(SessionClient& job, Arguments const&) {
  auto const left_alone = spared(job);
  for (auto const rank : present(job)) {
    bool const visits = is_console(*job.table().find(process_of(rank)));
    if (!visits && !left_alone.contains(rank)) send_signal(job, rank, SIGTERM);
  }
  return After::go_on;
}

/// If the user starts another job next, this one must be gone. A session has no process that the
/// user knows, and closes the console's line when it has ended: a waiting request gets no answer.
After halt(SessionClient& job, Arguments const&) {
  if (job.ask<StatusAnswer>(Operation::signal,
                            SignalRequest{.target = exec_rank, .signal = SIGTERM})
          .known) {
    job.ask<StoreAnswer>(Operation::store_get, StoreGet{.name = "its end", .wait = true});
    return After::leave;
  }
  auto const exec = job.exec();
  Descriptor const handle(static_cast<int>(::syscall(SYS_pidfd_open, exec, 0)));
  ::kill(exec, SIGTERM);
  pollfd end{.fd = handle.get(), .events = POLLIN, .revents = 0};
  if (handle && ::poll(&end, 1, longest_shutdown) == 0)
    fmt::print("the job has not ended yet (process {})\n", exec);
  return After::leave;
}

After id(SessionClient& job, Arguments const&) {
  fmt::print("{}\n", task_of(job, job.rank()));
  return After::go_on;
}

After version(SessionClient&, Arguments const&) {
  fmt::print("Earl, in the words of PVM 3.4's console\n");
  return After::go_on;
}

After help(SessionClient&, Arguments const&);

After quit(SessionClient&, Arguments const&) {
  fmt::print("the job goes on\n");
  return After::leave;
}

constexpr std::array command_table{
    ConsoleCommand{"conf", "", "the hosts", conf},
    ConsoleCommand{"halt", "", "end the job", halt},
    ConsoleCommand{"help", "", "this list", help},
    ConsoleCommand{"id", "", "the console's own task number", id},
    ConsoleCommand{"kill", "TASK...", "end processes", kill},
    ConsoleCommand{"ps", "[-a]", "the processes", ps},
    ConsoleCommand{"pstat", "TASK...", "whether processes are there", pstat},
    ConsoleCommand{"quit", "", "leave; the job goes on", quit},
    ConsoleCommand{"reset", "", "end all but consoles and PvmNoReset tasks", reset},
    ConsoleCommand{"sig", "N TASK...", "send a signal", sig},
    ConsoleCommand{"spawn", "[-N] [-HOST] [->] PROGRAM [ARGUMENT...]", "start processes", spawn},
    ConsoleCommand{"version", "", "what this is", version},
};

After help(SessionClient&, Arguments const&) {
  for (auto const& command : command_table)
    fmt::print("  {:<8} {:<40} {}\n", command.name, command.arguments, command.summary);
  return After::go_on;
}

}  // namespace

std::span<ConsoleCommand const> console_commands() { return command_table; }

}  // namespace earl::exec
