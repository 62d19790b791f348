// The commands of the console, each a row in the table at the end.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <csignal>
#include <filesystem>
#include <optional>
#include <set>

#include "exec/commands/console.hpp"
#include "exec/plan.hpp"
#include "generic/number.hpp"
#include "generic/store.hpp"

namespace earl::exec {

namespace {

using Words = std::vector<std::string>;

struct Nothing {
  void write(Writer&) const {}
};

// PVM's task numbers on its first host: t40001 is Rank 0. Here all processes go by what EXEC's
// services call them (see process_of()).
constexpr std::uint32_t first_task = 0x40001;

std::string task_of(Rank rank) {
  if (number(rank) < 0) return "-";
  return fmt::format("t{:x}", first_task + static_cast<std::uint32_t>(number(rank)));
}

/// Throws UsageError.
Rank rank_of(KeeperClient const& job, std::string const& word) {
  auto const digits = std::string_view(word).substr(word.starts_with('t') ? 1 : 0);
  auto const value = number_from<std::uint32_t>(digits, 16);
  Rank const id{value ? static_cast<std::int32_t>(*value - first_task) : number(no_rank)};
  if (!job.table().find(process_of(id)))
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

bool is_visitor(IdRow const& row) { return front_end_of(row) == "earl"; }

/// Those that are there, consoles included.
std::vector<Rank> present(KeeperClient& job) {
  auto const list = job.ask<ProcessList>(Operation::processes, Nothing{});
  std::vector<Rank> ranks;
  for (std::uint32_t n = 0; n < job.table().count(); ++n)
    if (auto const id = list.id_of(Rank{static_cast<std::int32_t>(n)})) ranks.push_back(*id);
  return ranks;
}

void send_signal(KeeperClient& job, Rank target, int signal) {
  auto const answer = job.ask<StatusAnswer>(
      Operation::signal, SignalRequest{.target = process_of(target), .signal = signal});
  if (!answer.alive) fmt::print("{}: it has ended already\n", task_of(target));
}

After conf(KeeperClient& job, Words const&) {
  auto const hosts = job.ask<HostList>(Operation::hosts, Nothing{}).hosts;
  fmt::print("{} host{}, 1 data format\n", hosts.size(), hosts.size() == 1 ? "" : "s");
  fmt::print("{:>24} {:>8} {:>8} {:>7}\n", "HOST", "DTID", "ARCH", "CPUS");
  std::uint32_t id = 0x40000;
  for (auto const& host : hosts) {
    fmt::print("{:>24} {:>8x} {:>8} {:>7}\n", host.name, id, "LINUX64", host.processors);
    id += 0x40000;
  }
  return After::go_on;
}

After ps(KeeperClient& job, Words const&) {
  fmt::print("{:>8} {:>8} {:>8} {:>9}  {}\n", "TID", "PTID", "PID", "API", "COMMAND");
  for (auto const rank : present(job)) {
    auto const& row = *job.table().find(process_of(rank));
    fmt::print("{:>8} {:>8} {:>8} {:>9}  {}\n", task_of(rank), task_of(Rank{row.parent}),
               row.unix_pid, front_end_of(row), is_visitor(row) ? "(console)" : program_of(row));
  }
  return After::go_on;
}

/// "-4" is how many; "->" is what happens anyway.
std::uint32_t take_count(Words& words) {
  std::uint32_t count = 1;
  while (!words.empty() && words.front().starts_with('-')) {
    auto const word = words.front();
    words.erase(words.begin());
    if (word == "->") continue;
    count = number_from<std::uint32_t>(std::string_view(word).substr(1)).value_or(0);
    if (count == 0)
      throw UsageError("spawn {}: here are -N, how many, and ->, to the console", word);
  }
  return count;
}

After spawn(KeeperClient& job, Words const& given) {
  auto words = given;
  auto const count = take_count(words);
  if (words.empty()) throw UsageError("spawn: which program? For example: spawn -4 -> ./worker");
  auto const here = std::filesystem::current_path().string();
  auto const answer = job.ask<SpawnAnswer>(
      Operation::spawn, SpawnRequest{.program = words.front(),
                                     .arguments = {words.begin() + 1, words.end()},
                                     .search = {here},
                                     .folder = here,
                                     .count = count});
  if (answer.fault != SpawnFault::none) fmt::print("{}\n", answer.why);
  fmt::print("{} successful\n", answer.ranks.size());
  for (auto const rank : answer.ranks) fmt::print("{}\n", task_of(rank));
  return After::go_on;
}

After kill(KeeperClient& job, Words const& words) {
  if (words.empty()) throw UsageError("kill: which task? `ps` lists them");
  for (auto const& word : words) send_signal(job, rank_of(job, word), SIGTERM);
  return After::go_on;
}

After sig(KeeperClient& job, Words const& words) {
  if (words.size() < 2) throw UsageError("sig: a number and a task are needed");
  int const signal = signal_of(words.front());
  for (std::size_t i = 1; i < words.size(); ++i) send_signal(job, rank_of(job, words[i]), signal);
  return After::go_on;
}

After pstat(KeeperClient& job, Words const& words) {
  auto const there = present(job);
  for (auto const& word : words) {
    auto const rank = rank_of(job, word);
    fmt::print("{} {}\n", task_of(rank),
               std::ranges::count(there, rank) != 0 ? "is there" : "has ended");
  }
  return After::go_on;
}

/// Those whose PvmNoReset is set: PVM keeps them as entries of a class of its own.
std::set<Rank> spared(KeeperClient& job) {
  std::set<Rank> ranks;
  for (auto const& entry : job.ask<StoreListing>(Operation::store_list, Nothing{}).entries)
    if (entry.name == "###_PVM_NO_RESET_###") ranks.insert(entry.owner);
  return ranks;
}

After reset(KeeperClient& job, Words const&) {
  auto const left_alone = spared(job);
  for (auto const rank : present(job)) {
    bool const visits = is_visitor(*job.table().find(process_of(rank)));
    if (!visits && !left_alone.contains(rank)) send_signal(job, rank, SIGTERM);
  }
  return After::go_on;
}

After halt(KeeperClient& job, Words const&) {
  ::kill(job.exec(), SIGTERM);
  return After::leave;
}

After id(KeeperClient& job, Words const&) {
  fmt::print("{}\n", task_of(job.rank()));
  return After::go_on;
}

After version(KeeperClient&, Words const&) {
  fmt::print("Earl, in the words of PVM 3.4's console\n");
  return After::go_on;
}

After help(KeeperClient&, Words const&);

After quit(KeeperClient&, Words const&) {
  fmt::print("the job goes on\n");
  return After::leave;
}

constexpr std::array all{
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
    ConsoleCommand{"spawn", "[-N] [->] PROGRAM [ARGUMENT...]", "start processes", spawn},
    ConsoleCommand{"version", "", "what this is", version},
};

After help(KeeperClient&, Words const&) {
  for (auto const& command : all)
    fmt::print("  {:<8} {:<32} {}\n", command.name, command.arguments, command.summary);
  return After::go_on;
}

}  // namespace

std::span<ConsoleCommand const> console_commands() { return all; }

}  // namespace earl::exec
