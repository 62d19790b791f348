// SPDX-License-Identifier: BSD-3-Clause
#include "exec/launcher/job/remote_spawns.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <filesystem>

#include "backends/registry.hpp"
#include "debug/registry.hpp"
#include "exec/launcher/hosts/host_facts.hpp"

namespace earl::exec {

namespace {

constexpr auto longest_start = std::chrono::seconds{30};
constexpr auto longest_end = std::chrono::seconds{2};

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

/// The halves that carry packets are with the agents.
class AgentsHalf final : public SpanningJob {
 public:
  explicit AgentsHalf(Hosts& hosts) : hosts_(hosts) {}
  bool reuses() const override { return hosts_.reuse_rows(); }
  bool release(Rank rank) override { return hosts_.release_row(rank); }
  void wake_peers_for_release(Rank) override { hosts_.wake_peers_for_releases(); }

 private:
  Hosts& hosts_;
};

}  // namespace

std::unique_ptr<PreparedJob> RemoteSpawns::prepare(JobFacts const& facts) {
  auto const& plan = context_.plan;
  control::HostConfiguration configuration{.initial = facts.initial,
                                           .capacity = facts.capacity,
                                           .back_end = plan.back_end,
                                           .link = {},
                                           .encrypted = facts.encrypted,
                                           .tools = {},
                                           .remote_command = {},
                                           .output_folder = plan.output_folder,
                                           .binding = plan.binding};
  auto const* back_end = find_back_end(plan.back_end);
  HostsListener& listener = *this;
  hosts_ = std::make_unique<Hosts>(parts_.loop, listener, plan.hosts, plan.listen,
                                   std::move(configuration));
  if (!joins_hosts(*back_end) && !back_end->spans_hosts) hosts_->find_link();
  parts_.roster.watch([this](std::uint32_t at, Bytes bytes) { hosts_->table_changed(at, bytes); });
  auto spanning =
      back_end->span ? back_end->span(hosts_of(plan)) : std::make_unique<AgentsHalf>(*hosts_);
  std::vector<std::string> remote_commands;
  for (std::uint32_t n = 0; n < hosts_->count(); ++n)
    remote_commands.push_back(spanning->remote_command(n));
  hosts_->set_remote_commands(std::move(remote_commands));
  return spanning;
}

void RemoteSpawns::start_agents() {
  auto const& plan = context_.plan;
  auto const& shutdown = parts_.shutdown;
  auto const deadline = Clock::now() + longest_start;
  parts_.loop.at(deadline, [] {});
  hosts_->set_tools(tools_for_hosts(plan.tools));
  hosts_->start(plan.launcher, {context_.layout.commands + "/earl", "agent"});
  while (!hosts_->ready() && !shutdown.begun() && Clock::now() < deadline) parts_.loop.turn();
  if (!shutdown.begun() && !hosts_->ready())
    throw Refusal(1, SpawnFault::no_room,
                  fmt::format("no agent has called back from {} in {} seconds; does `{}` start "
                              "commands there, and can that host reach this one?",
                              hosts_->missing(), longest_start.count(), plan.launcher));
}

Launched RemoteSpawns::launch(Child& child, LaunchSpec const& spec) {
  auto folder = spec.folder;
  if (folder.empty()) folder = std::filesystem::current_path().string();
  control::LaunchRequest request{.rank = child.rank,
                                 .reads = child.rank == context_.plan.reader,
                                 .processors = spec.processor_list};
  auto const host = parts_.roster.at(child.rank).host;
  child.origin = Origin::remote;
  child.host = hosts_->at(host).name();
  child.writer = writer_of(child.rank);
  context_.routes.forward_remote(child, spec);
  child.rank_channel =
      &hosts_->launch(host,
                      {.path = std::filesystem::absolute(spec.program.path).string(),
                       .front_end = child.front_end,
                       .arguments = spec.arguments,
                       .environment = spec.environment,
                       .folder = folder},
                      request);
  return {.pid = 0, .error = 0};
}

/// A name that means EXEC's host is another one elsewhere.
HostList RemoteSpawns::list() const {
  auto const& seen = parts_.placement.visible_hosts();
  auto const here = facts_of_this_host();
  HostList list;
  for (std::uint32_t n = 0; n < seen.size(); ++n) {
    list.hosts.push_back(hosts_ && parts_.placement.real() ? hosts_->at(n).facts() : here);
    if (seen[n].name != "localhost") list.hosts.back().name = seen[n].name;
  }
  if (seen.empty()) list.hosts.push_back(here);
  return list;
}

std::string RemoteSpawns::back_end_text() const {
  auto const& name = context_.plan.back_end;
  if (!hosts_) return name;
  auto const& link = hosts_->link();
  if (link.empty()) return name;
  return fmt::format("{} within a host, on {} between hosts ({})", name, link,
                     hosts_->link_reason());
}

std::uint32_t RemoteSpawns::rejected_connections() const {
  return hosts_ ? hosts_->rejected_connections() : 0;
}

void RemoteSpawns::read_from(int fd) {
  if (hosts_) hosts_->read_from(fd);
}

void RemoteSpawns::look_at_launchers() {
  if (hosts_) hosts_->look_at_launchers();
}

void RemoteSpawns::signal_all(int number) {
  if (hosts_) hosts_->signal_all(number);
}

void RemoteSpawns::dismiss() {
  if (!hosts_) return;
  auto const deadline = Clock::now() + longest_end;
  parts_.loop.at(deadline, [] {});
  hosts_->hang_up();
  while (!hosts_->gone() && Clock::now() < deadline && !parts_.shutdown.hurried())
    parts_.loop.turn();
}

void RemoteSpawns::on_rank_message(Rank rank, control::Message message) {
  auto* const child = parts_.children.find(rank);
  if (child && child->alive() && child->rank_channel && !child->protocol_failed)
    context_.channels.take(*child, std::move(message));
}

void RemoteSpawns::on_process_ended(Rank rank, int wait_status) {
  auto* const child = parts_.children.find(rank);
  if (child && child->alive() && child->rank_channel) parts_.listener.ended(*child, wait_status);
}

bool RemoteSpawns::on_output(control::Printed const& text) {
  parts_.output.print(text);
  return !parts_.output.full();
}

/// A piece that cannot be kept is reported once; the job goes on.
void RemoteSpawns::on_file_piece(control::TracePieces const& message) {
  auto const& tools = context_.plan.tools;
  auto const use = std::ranges::find(tools, message.tool, &control::ToolUse::name);
  auto const* const multi_host = use == tools.end() ? nullptr : find_tool(use->name)->multi_host;
  for (auto const& piece : message.pieces)
    if (!multi_host || !parts_.roster.has(piece.rank)) throw Error("a file that was not asked for");
  try {
    for (auto const& piece : message.pieces)
      if (!drops_pieces_) multi_host->arrived(use->argument, piece);
  } catch (Error const& error) {
    drops_pieces_ = true;
    parts_.output.report(
        fmt::format("cannot keep the records of other hosts: {}; free space there and record again",
                    error.what()));
  }
}

void RemoteSpawns::answer_when_started(PendingReply const& reply, SpawnAnswer answer) {
  std::set<Rank> starting;
  for (auto const rank : answer.ranks)
    if (parts_.children.at(rank).is_remote()) starting.insert(rank);
  spawns_.push_back({.reply = reply, .answer = std::move(answer), .starting = std::move(starting)});
  answer_spawns();
}

std::vector<Rank> RemoteSpawns::waiting_spawners() const {
  std::vector<Rank> ranks;
  for (auto const& spawn : spawns_) ranks.push_back(process_of(spawn.reply.to));
  return ranks;
}

/// Null: the spawn of that process has been answered, or it was not spawned.
RemoteSpawns::Spawn* RemoteSpawns::spawn_of(Rank rank) {
  auto const found = std::ranges::find_if(
      spawns_, [&](auto const& spawn) { return spawn.starting.contains(rank); });
  return found == spawns_.end() ? nullptr : &*found;
}

void RemoteSpawns::answer_spawns() {
  std::erase_if(spawns_, [&](auto const& spawn) {
    if (!spawn.starting.empty()) return false;
    parts_.services.answer(spawn.reply, spawn.answer);
    return true;
  });
}

void RemoteSpawns::on_process_started(Rank rank) {
  auto* const spawn = spawn_of(rank);
  if (!spawn) return;
  spawn->starting.erase(rank);
  answer_spawns();
}

/// Without a spawner that waits for it, it was taken for started: it has ended like a shell that
/// did not find its command.
void RemoteSpawns::on_start_refused(Rank rank, int error, std::string_view sentence) {
  auto* const child = parts_.children.find(rank);
  if (!child || !child->alive() || !child->is_remote()) return;
  auto const code = error == ENOENT ? exit_not_found : exit_not_executable;
  if (auto* const spawn = spawn_of(rank)) {
    child->start_refused = true;
    parts_.listener.ended(*child, code << 8);
    spawn->answer.fault = error == ENOENT   ? SpawnFault::not_found
                          : error == EAGAIN ? SpawnFault::no_room
                                            : SpawnFault::denied;
    spawn->answer.why = sentence;
    std::erase(spawn->answer.ranks, rank);
    spawn->starting.erase(rank);
    return answer_spawns();
  }
  if (!parts_.shutdown.begun()) parts_.output.report(sentence);
  if (index(rank) < processes_in(context_.plan)) parts_.shutdown.begin(code, SIGKILL);
  parts_.listener.ended(*child, code << 8);
}

/// The host's processes are lost, and one sentence names the host.
void RemoteSpawns::on_host_lost(std::uint32_t host, std::string_view sentence) {
  if (!parts_.shutdown.begun()) {
    parts_.output.report(fmt::format("{}; the job is terminated", sentence));
    parts_.shutdown.begin(1, SIGKILL);
  }
  for (auto& [rank, child] : parts_.children.all())
    if (child.alive() && child.is_remote() && parts_.roster.at(child.rank).host == host)
      parts_.listener.ended(child, SIGKILL);
}

}  // namespace earl::exec
