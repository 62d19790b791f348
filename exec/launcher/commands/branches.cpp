// SPDX-License-Identifier: BSD-3-Clause
#include "exec/launcher/commands/branches.hpp"

#include <fcntl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <filesystem>
#include <initializer_list>

#include "backends/registry.hpp"
#include "debug/events/reader.hpp"
#include "debug/registry.hpp"
#include "debug/trace/meta.hpp"
#include "debug/trace/reader.hpp"
#include "debug/trace/writer.hpp"
#include "exec/launcher/commands/run.hpp"
#include "exec/launcher/commands/trial_run.hpp"
#include "generic/base/error.hpp"
#include "generic/system/child.hpp"
#include "generic/system/poll_until.hpp"
#include "generic/system/unix_socket.hpp"

namespace earl::exec {

using control::BranchEnd;

namespace {

/// The halves in EXEC of these do nothing in a run without a standstill that takes another path
/// than the recorded one, but for the standard input.
bool needs_exec(control::ToolUse const& use) {
  auto const* const tool = find_tool(use.name);
  return use.name != "replay" && use.name != "deadlock" && (!tool || tool->in_exec);
}

bool has_input(std::string const& recording) {
  trace::TraceReader reader(trace::exec_path(recording));
  while (auto const outcomes = reader.next())
    if (std::ranges::any_of(*outcomes, [](trace::Outcome const& outcome) {
          return outcome.what == trace::OutcomeKind::input;
        }))
      return true;
  return false;
}

/// In the child: EXEC of a job that only waits for orders.
[[noreturn]] void be_job(ReplayPlan replay, Descriptor line, pid_t parent) {
  end_with_parent(parent);
  Descriptor const nothing(::open("/dev/null", O_RDWR | O_CLOEXEC));
  for (int const stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
    ::dup2(nothing.get(), stream);
  ::fcntl(line.get(), F_SETFD, 0);
  replay.plan.branches = line.get();
  replay.plan.timeout.reset();
  int code = 1;
  try {
    if (replay.folder.empty() || ::chdir(replay.folder.c_str()) == 0)
      code = run_plan(std::move(replay.plan));
  } catch (std::exception const&) {
    // The runs are made in another way then, which reports what is wrong.
  }
  ::_exit(code);
}

/// EXEC's files of a healthy run in which no process asks EXEC for anything: no two differ, as all
/// runs have one id.
void make_common(std::string const& folder, trace::Meta meta) {
  meta.run = trace::new_run_id();
  meta.job.environment.clear();  // no process of a run reads it there
  trace::create_recording(folder, meta);
  trace::TraceWriter writer({.path = trace::exec_path(folder),
                             .rank = exec_rank,
                             .run = meta.run,
                             .initial = meta.job.initial,
                             .kind = trace::FrameKind::job});
  writer.finish(0, 0, 0);
  trace::write_end(folder, {});
  events::mark_complete(folder, 0, true);
}

void link_from(std::string const& common, std::string const& folder,
               std::initializer_list<char const*> names) {
  for (char const* const name : names)
    std::filesystem::create_hard_link(common + name, folder + name);
}

/// Both ends.
std::pair<Descriptor, Descriptor> make_line() {
  std::array<int, 2> ends{};
  if (::socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends.data()) != 0)
    throw Error("no line to the process that is forked for each run: {}", system_message(errno));
  return {Descriptor(ends[0]), Descriptor(ends[1])};
}

BranchEnd end_from(int wait_status) {
  if (!WIFEXITED(wait_status)) return BranchEnd::failed;
  auto const end = static_cast<BranchEnd>(WEXITSTATUS(wait_status));
  return end == BranchEnd::healthy || end == BranchEnd::needs_exec ? end : BranchEnd::failed;
}

}  // namespace

std::string Branches::objection(ReplayPlan const& replay) {
  auto const& plan = replay.plan;
  if (!find_back_end(plan.back_end)->shared_process)
    return "on " + plan.back_end + " each rank is a process";
  if (!plan.hosts.empty()) return "it has several hosts";
  if (plan.own_input || has_input(replay.recording)) return "it reads standard input";
  if (plan.tag_output || !plan.output_folder.empty()) return "its output is marked";
  auto const tool = std::ranges::find_if(plan.tools, needs_exec);
  if (tool != plan.tools.end()) return "the tool " + tool->name + " works in EXEC";
  return {};
}

bool Branches::may_checkpoint(ReplayPlan const& replay) {
  auto const meta = trace::read_meta(replay.recording);
  return !meta.minimal && meta.keep == 0 &&
         std::ranges::all_of(replay.plan.tools, [](control::ToolUse const& use) {
           return use.name == "replay" || use.name == "deadlock";
         });
}

Branches::Branches(ReplayPlan replay, std::string common) : common_(std::move(common)) {
  make_common(common_, trace::read_meta(replay.recording));
  start_job(std::move(replay));
}

Branches::~Branches() {
  lines_.clear();
  if (job_ > 0) await_exit(job_);
}

void Branches::start_job(ReplayPlan replay) {
  auto [own, theirs] = make_line();
  std::fflush(nullptr);
  auto const parent = ::getpid();
  job_ = ::fork();
  if (job_ < 0) throw Error("cannot start a run: {}", system_message(errno));
  if (job_ == 0) {
    own.close();
    be_job(std::move(replay), std::move(theirs), parent);
  }
  lines_.push_back({.socket = std::move(own), .ready = true});
}

std::uint32_t Branches::order(Trial const& trial, std::size_t from, Descriptor const& line) {
  auto const number = ++begun_;
  std::filesystem::create_directory(trial.folder);
  link_from(common_, trial.folder, {"/meta.json", "/exec.ert"});
  under_way_[number] = {.folder = trial.folder, .line = from};
  auto const time = std::chrono::duration<double>(trial.seconds);
  const control::BranchRequest request{
      .tools = trial.tools,
      .milliseconds =
          static_cast<std::uint32_t>(std::chrono::ceil<std::chrono::milliseconds>(time).count())};
  auto const body = control::body_of(request);
  const std::array descriptors{trial.output, line.get()};
  auto along = std::span<int const>{descriptors}.first(line ? 2 : 1);
  auto& socket = lines_[from].socket;
  for (auto const& packet : control::packets_of(control::Type::branch, number, 0, body.bytes())) {
    if (send_packet(socket.get(), packet.bytes(), along, 0) != 0) socket.close();
    along = {};
  }
  return number;
}

std::uint32_t Branches::begin(Trial const& trial, std::size_t from) {
  return order(trial, from, {});
}

std::optional<std::size_t> Branches::make_checkpoint(Trial const& trial, std::size_t from) {
  auto [own, theirs] = make_line();
  auto const number = order(trial, from, theirs);
  theirs.close();
  auto const line = lines_.size();
  lines_.push_back({.socket = std::move(own), .folder = trial.folder});
  while (!lines_[line].ready && !ended_.contains(number) && receive()) {
  }
  if (lines_[line].ready) {
    link_ended(from, trial.folder);
    return line;
  }
  static_cast<void>(end_of(number));
  lines_.pop_back();
  return std::nullopt;
}

/// False: all processes have ended, or will not answer.
bool Branches::receive() {
  std::vector<pollfd> files;
  std::vector<std::size_t> numbers;
  for (std::size_t i = 0; i < lines_.size(); ++i) {
    if (!lines_[i].socket) continue;
    files.push_back({.fd = lines_[i].socket.get(), .events = POLLIN, .revents = 0});
    numbers.push_back(i);
  }
  if (!lines_[start].socket) return false;
  poll_until(files, never);
  for (std::size_t i = 0; i < files.size(); ++i)
    if (files[i].revents != 0) receive(lines_[numbers[i]]);
  return true;
}

void Branches::receive(Line& line) {
  auto const arrival = receive_packet(line.socket.get(), room_);
  if (arrival.what == ReceiveStatus::nothing) return;
  if (arrival.what != ReceiveStatus::packet) return line.socket.close();
  auto const message = line.incoming.take(Bytes{room_}.first(arrival.size));
  if (!message) return;
  if (message->type == control::Type::checkpointed) {
    line.ready = true;
    return;
  }
  auto const value = control::read<control::RankValue>(message->body.bytes());
  ended_[message->ticket] = end_from(value.value);
}

/// Ranks that had ended at a checkpoint have no record but that.
void Branches::link_ended(std::size_t line, std::string const& folder) const {
  if (line == start) return;
  for (auto const& file : std::filesystem::directory_iterator(lines_[line].folder)) {
    auto const name = folder / file.path().filename();
    if (!std::filesystem::exists(name)) std::filesystem::create_hard_link(file.path(), name);
  }
}

BranchEnd Branches::end_of(std::uint32_t number) {
  auto const [folder, line] = under_way_.extract(number).mapped();
  while (!ended_.contains(number))
    if (!lines_[line].socket || !receive()) ended_[number] = BranchEnd::failed;
  auto const end = ended_.extract(number).mapped();
  if (end != BranchEnd::healthy) return end;
  link_from(common_, folder, {"/end.json", "/events.json"});
  link_ended(line, folder);
  return end;
}

}  // namespace earl::exec
