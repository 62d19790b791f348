// SPDX-License-Identifier: BSD-3-Clause
/// Jobs of several hosts: how EXEC starts agents, and starts and serves processes through them.
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <filesystem>

#include "backends/registry.hpp"
#include "debug/registry.hpp"
#include "exec/launcher/hosts/host_facts.hpp"
#include "exec/launcher/job/job.hpp"

namespace earl::exec {

namespace {

constexpr auto patience = std::chrono::seconds{30};
constexpr auto patience_at_end = std::chrono::seconds{2};

std::vector<control::ToolUse> tools_for_hosts(std::vector<control::ToolUse> tools) {
  for (auto& use : tools)
    if (auto const* const multi_host = find_tool(use.name)->multi_host)
      use.argument = multi_host->remote_argument(use.argument);
  return tools;
}

/// By rank.
std::vector<std::uint32_t> hosts_of(Plan const& plan) {
  std::vector<std::uint32_t> hosts;
  for (std::uint32_t n = 0; n < processes_in(plan); ++n) hosts.push_back(host_for(plan.hosts, n));
  return hosts;
}

}  // namespace

void Job::prepare_hosts(JobFacts const& facts) {
  control::HostConfiguration words{.initial = facts.initial,
                                   .capacity = facts.capacity,
                                   .back_end = plan_.back_end,
                                   .link = {},
                                   .encrypted = facts.encrypted,
                                   .tools = {},
                                   .remote_command = {},
                                   .output_folder = plan_.output_folder};
  auto const* back_end = find_back_end(plan_.back_end);
  HostsHearer& hearer = *this;
  hosts_ = std::make_unique<Hosts>(loop_, hearer, plan_.hosts, plan_.listen, std::move(words));
  if (!joins_hosts(*back_end) && !back_end->spans_hosts) hosts_->seek_link();
  roster_->watch([this](std::uint32_t at, Bytes bytes) { hosts_->table_changed(at, bytes); });
  auto spanning =
      back_end->span ? back_end->span(hosts_of(plan_)) : std::make_unique<SpanningJob>();
  std::vector<std::string> remote_commands;
  for (std::uint32_t n = 0; n < hosts_->count(); ++n)
    remote_commands.push_back(spanning->remote_command(n));
  hosts_->entrust(std::move(remote_commands));
  prepared_ = std::move(spanning);
}

/// Starts agents and waits for them. Throws Refusal when one is not available.
void Job::summon_hosts() {
  auto const deadline = Clock::now() + patience;
  loop_.at(deadline, [] {});
  hosts_->give(tools_for_hosts(plan_.tools));
  hosts_->start(plan_.launcher, {layout_.commands + "/earl", "agent"});
  while (!hosts_->ready() && ending_ == 0 && Clock::now() < deadline) loop_.turn();
  if (ending_ == 0 && !hosts_->ready())
    throw Refusal(1, SpawnFault::no_room,
                  fmt::format("no agent has called back from {} in {} seconds; does `{}` start "
                              "commands there, and can that host reach this one?",
                              hosts_->missing(), patience.count(), plan_.launcher));
}

/// Its output comes over its host's line.
void Job::hear(Child& child, Batch const& batch) {
  // A console's own standard output.
  if (child.outlets && !child.catcher && !child.told)
    child.catcher = std::make_shared<Catcher>(
        output_.place_for(Descriptor(::dup((*child.outlets)[0].get()))), CatchRequest{},
        Catcher::Spawner{.catch_up = [] {}, .ended = [](Rank) {}});
  if (child.catcher)
    output_.add(child.rank, caught_output(child));
  else if (plan_.output_folder.empty() || child.told)
    output_.add(child.rank, stream_of(child, batch), prefix_of(child, batch));
  tell_of(child, batch, child.writer);
}

Launched Job::launch_elsewhere(Child& child, Batch const& batch) {
  auto folder = batch.folder;
  if (folder.empty()) folder = std::filesystem::current_path().string();
  control::LaunchRequest words{
      .rank = child.rank, .reads = child.rank == plan_.reader, .processors = batch.processor_words};
  child.elsewhere = true;
  child.writer = writer_of(child.rank);
  hear(child, batch);
  child.rank_channel =
      &hosts_->launch(roster_->at(child.rank).host,
                      {.path = std::filesystem::absolute(batch.program.path).string(),
                       .front_end = child.front_end,
                       .arguments = batch.arguments,
                       .environment = batch.environment,
                       .folder = folder},
                      words);
  return {.pid = 0, .error = 0};
}

/// A name that means EXEC's host is another one elsewhere.
HostList Job::hosts() const {
  auto const& told = placement_.told();
  auto const here = facts_of_this_host();
  HostList list;
  for (std::uint32_t n = 0; n < told.size(); ++n) {
    list.hosts.push_back(hosts_ && placement_.real() ? hosts_->at(n).facts() : here);
    if (told[n].name != "localhost") list.hosts.back().name = told[n].name;
  }
  if (told.empty()) list.hosts.push_back(here);
  return list;
}

std::string Job::way() const {
  if (!hosts_) return plan_.back_end;
  auto const& link = hosts_->link();
  auto const& machine = *find_back_end(link.empty() ? plan_.back_end : link);
  auto const between = machine.between.empty() ? machine.name : machine.between;
  if (link.empty()) return std::string(between);
  return fmt::format("{} within a host, on {} between hosts ({})", plan_.back_end, between,
                     hosts_->why_link());
}

bool Job::printed(control::Printed const& text) {
  output_.print(text);
  return !output_.full();
}

/// A piece that cannot be kept is reported once; the job goes on.
void Job::piece_came(control::TracePieces const& words) {
  auto const use = std::ranges::find(plan_.tools, words.tool, &control::ToolUse::name);
  auto const* const multi_host =
      use == plan_.tools.end() ? nullptr : find_tool(use->name)->multi_host;
  for (auto const& piece : words.pieces)
    if (!multi_host || !roster_->has(piece.rank)) throw Error("a file that was not asked for");
  try {
    for (auto const& piece : words.pieces)
      if (!loses_pieces_) multi_host->arrived(use->argument, piece);
  } catch (Error const& error) {
    loses_pieces_ = true;
    say(fmt::format("{}; what comes from other hosts is kept no more", error.what()));
  }
}

/// Its spawner waits for that.
void Job::answer_when_started(PendingReply const& reply, SpawnAnswer started) {
  std::set<Rank> unheard;
  for (auto const rank : started.ranks)
    if (child_at(rank).elsewhere) unheard.insert(rank);
  spawnings_.push_back(
      {.reply = reply, .answer = std::move(started), .unheard = std::move(unheard)});
  answer_spawnings();
}

/// Null: no process waits for the notice of its start.
Job::Spawning* Job::spawning_of(Rank rank) {
  auto const found = std::ranges::find_if(
      spawnings_, [&](auto const& spawning) { return spawning.unheard.contains(rank); });
  return found == spawnings_.end() ? nullptr : &*found;
}

void Job::answer_spawnings() {
  std::erase_if(spawnings_, [&](auto const& spawning) {
    if (!spawning.unheard.empty()) return false;
    answer(spawning.reply, spawning.answer);
    return true;
  });
}

void Job::started(Rank rank) {
  auto* const spawning = spawning_of(rank);
  if (!spawning) return;
  spawning->unheard.erase(rank);
  answer_spawnings();
}

/// Without a process that waits for it, it was taken for started: it has ended like a shell that
/// did not find its command.
void Job::refused(Rank rank, int error, std::string_view sentence) {
  if (!roster_->has(rank)) return;
  auto& child = child_at(rank);
  if (!child.alive || !child.elsewhere) return;
  auto const code = error == ENOENT ? exit_not_found : exit_not_executable;
  if (auto* const spawning = spawning_of(rank)) {
    child.refused = true;
    died(child, code << 8);
    spawning->answer.fault = error == ENOENT   ? SpawnFault::not_found
                             : error == EAGAIN ? SpawnFault::no_room
                                               : SpawnFault::denied;
    spawning->answer.why = sentence;
    std::erase(spawning->answer.ranks, rank);
    spawning->unheard.erase(rank);
    return answer_spawnings();
  }
  if (ending_ == 0) say(sentence);
  if (child.rank < Rank{static_cast<std::int32_t>(processes_in(plan_))}) end(code, SIGKILL);
  died(child, code << 8);
}

/// The host's processes are lost, which is reported in one sentence with their names.
void Job::host_lost(std::uint32_t host, std::string_view sentence) {
  if (ending_ == 0) {
    say(fmt::format("{}; the job is ended", sentence));
    end(1, SIGKILL);
  }
  for (auto const& [rank, child] : children_)
    if (child->alive && child->elsewhere && roster_->at(child->rank).host == host)
      died(*child, SIGKILL);
}

/// Agents end by themselves, and their launchers after them.
void Job::dismiss_hosts() {
  if (!hosts_) return;
  auto const deadline = Clock::now() + patience_at_end;
  loop_.at(deadline, [] {});
  hosts_->hang_up();
  while (!hosts_->gone() && Clock::now() < deadline && !interrupted_) loop_.turn();
}

}  // namespace earl::exec
