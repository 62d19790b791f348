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

Branches::Branches(ReplayPlan replay, std::string common) : common_(std::move(common)) {
  make_common(common_, trace::read_meta(replay.recording));
  start(std::move(replay));
}

Branches::~Branches() {
  line_.close();
  if (job_ > 0) await_exit(job_);
}

void Branches::start(ReplayPlan replay) {
  std::array<int, 2> ends{};
  if (::socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends.data()) != 0)
    throw Error("no line to the process that is forked for each run: {}", system_message(errno));
  line_ = Descriptor(ends[0]);
  Descriptor theirs(ends[1]);
  std::fflush(nullptr);
  auto const own = ::getpid();
  job_ = ::fork();
  if (job_ < 0) throw Error("cannot start a run: {}", system_message(errno));
  if (job_ != 0) return;
  line_.close();
  be_job(std::move(replay), std::move(theirs), own);
}

std::uint32_t Branches::begin(Trial const& trial) {
  auto const number = ++begun_;
  std::filesystem::create_directory(trial.folder);
  link_from(common_, trial.folder, {"/meta.json", "/exec.ert"});
  under_way_[number] = trial.folder;
  auto const time = std::chrono::duration<double>(trial.seconds);
  const control::BranchRequest request{
      .tools = trial.tools,
      .milliseconds =
          static_cast<std::uint32_t>(std::chrono::ceil<std::chrono::milliseconds>(time).count())};
  auto const body = control::body_of(request);
  std::span<int const> along{&trial.output, 1};
  for (auto const& packet : control::packets_of(control::Type::branch, number, 0, body.bytes())) {
    if (send_packet(line_.get(), packet.bytes(), along, 0) != 0) line_.close();
    along = {};
  }
  return number;
}

/// False: the process has ended, or will not answer.
bool Branches::receive() {
  if (!line_) return false;
  pollfd line{.fd = line_.get(), .events = POLLIN, .revents = 0};
  poll_until({&line, 1}, never);
  auto const arrival = receive_packet(line_.get(), room_);
  if (arrival.what == ReceiveStatus::nothing) return true;
  if (arrival.what != ReceiveStatus::packet) return false;
  auto const message = incoming_.take(Bytes{room_}.first(arrival.size));
  if (!message) return true;
  auto const value = control::read<control::RankValue>(message->body.bytes());
  ended_[message->ticket] = end_from(value.value);
  return true;
}

BranchEnd Branches::end_of(std::uint32_t number) {
  while (!ended_.contains(number))
    if (!receive()) ended_[number] = BranchEnd::failed;
  auto const end = ended_.extract(number).mapped();
  auto const folder = under_way_.extract(number).mapped();
  if (end == BranchEnd::healthy) link_from(common_, folder, {"/end.json", "/events.json"});
  return end;
}

}  // namespace earl::exec
