// SPDX-License-Identifier: BSD-3-Clause
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/epoll.h>
#include <sys/prctl.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>

#include "backends/registry.hpp"
#include "debug/registry.hpp"
#include "exec/launcher/children/addresses.hpp"
#include "exec/launcher/children/guard.hpp"
#include "exec/launcher/children/mark.hpp"
#include "exec/launcher/job/job.hpp"
#include "exec/launcher/machine/memory.hpp"
#include "exec/launcher/settings/environment.hpp"

namespace earl::exec {

namespace {

constexpr std::uint32_t least_capacity = 256;
/// The room of a job whose first process may load others: their number is unknown. Unused rows cost
/// nothing.
constexpr std::uint32_t host_capacity = 8192;
/// The delay before the back end is blamed: it may have ended because of a process or host whose
/// end EXEC has not noticed yet.
constexpr auto before_blame = std::chrono::milliseconds{500};
constexpr rlim_t files_per_process = 3;      ///< a channel and two pipes
constexpr rlim_t files_per_shared_rank = 2;  ///< those it prints to, in the shared process
constexpr rlim_t files_of_exec = 64;

/// Whether the app's process may load others: it was linked as a host, or the user has not said how
/// many processes there are.
bool may_host(Plan const& plan, std::vector<Program> const& programs, std::size_t app) {
  if (programs[app].side != Side::either || plan.apps.size() != 1)
    return programs[app].side == Side::host && plan.apps[app].count == 1;
  return !plan.apps[app].counted;
}

/// The first app that may; none: the count of apps, or the job begins with guests (no apps).
std::size_t find_host(Plan const& plan, std::vector<Program> const& programs) {
  std::size_t app = 0;
  while (app < plan.apps.size() && !may_host(plan, programs, app)) ++app;
  return app;
}

std::uint32_t capacity_for(Plan const& plan, bool hosted) {
  if (plan.most_processes != 0) return plan.most_processes;
  if (hosted) return std::max(host_capacity, processes_in(plan));
  return std::min(most_ranks, std::max(least_capacity, 2 * processes_in(plan)));
}

/// EXEC's own.
rlim_t files_of_each(Backend const& back_end, Plan const& plan) {
  if (!plan.hosts.empty()) return 0;
  if (!back_end.shared_process) return files_per_process + back_end.descriptors_each;
  return plan.output_folder.empty() ? 0 : files_per_shared_rank;
}

/// Throws UsageError when the host's limit is too low for `processes` that take so many each;
/// returns the limit set.
rlimit raise_file_limit(std::uint32_t processes, rlim_t each) {
  rlimit before{};
  ::getrlimit(RLIMIT_NOFILE, &before);
  auto const needed = files_of_exec + each * processes;
  rlimit raised{.rlim_cur = std::max(before.rlim_max, needed),
                .rlim_max = std::max(before.rlim_max, needed)};
  if (::setrlimit(RLIMIT_NOFILE, &raised) == 0) return before;
  raised.rlim_cur = raised.rlim_max = before.rlim_max;
  ::setrlimit(RLIMIT_NOFILE, &raised);
  if (before.rlim_max < needed)
    throw UsageError(
        "-n: {} processes need {} open files in EXEC and the limit is {} (ulimit -Hn): at most {} "
        "processes",
        processes, needed, before.rlim_max,
        (before.rlim_max - std::min(before.rlim_max, files_of_exec)) / each);
  return before;
}

bool sigpipe_was_ignored() {
  struct sigaction before {};
  struct sigaction ignore {};
  ignore.sa_handler = SIG_IGN;
  ::sigaction(SIGPIPE, &ignore, &before);
  return before.sa_handler == SIG_IGN;
}

}  // namespace

Job::Job(Plan const& plan, std::vector<Program> programs, Layout const& layout)
    : plan_(plan),
      programs_(std::move(programs)),
      layout_(layout),
      signals_(loop_, [this](Caught const& signal) { caught(signal); }),
      output_(loop_, [this](Stream stream, int number) { output_broken(stream, number); }),
      channels_(loop_, *this),
      null_(::open("/dev/null", O_RDONLY | O_CLOEXEC)),
      terminal_(::isatty(STDIN_FILENO) == 1),
      mark_(new_mark()),
      placement_(plan.hosts, plan.recorded_hosts) {
  auto const* back_end = find_back_end(plan.back_end);
  if (!back_end) throw UsageError("--on {}: there is no such back end", plan.back_end);
  auto const initial = std::max(processes_in(plan), 1U);
  inherited_ = {.mask = signals_.mask_before(),
                .files = raise_file_limit(initial, files_of_each(*back_end, plan)),
                .sigpipe_ignored = sigpipe_was_ignored(),
                .mark = limit_of(mark_)};
  control_number_ = keep_control_number(null_);
  // Orphans of a node become EXEC's children, so that nothing is left of a job. A shell that became
  // EXEC (exec earl run) may have children of its own, which must not be harmed.
  adopts_ = own_children().empty() && ::prctl(PR_SET_CHILD_SUBREAPER, 1) == 0;
  guard_ = group_ = start_guard(mark_);
  host_ = find_host(plan, programs_);
  bool const hosted = plan.apps.empty() || host_ < plan.apps.size();
  roster_ = std::make_unique<Roster>(capacity_for(plan, hosted));
  roster_->set_message_memory(plan.message_memory.value_or(usual_message_memory()));
  const JobFacts facts{
      .initial = initial, .capacity = roster_->capacity(), .encrypted = plan_.secure};
  partitions_ = std::make_unique<Partitions>(*roster_);
  if (plan_.user_launcher)
    prepared_ = plan_.user_launcher->prepare();
  else if (plan_.hosts.empty())
    prepared_ = back_end->prepare(facts);
  else
    prepare_hosts(facts);
  SharedProcessListener& hearer = *this;
  if (back_end->shared_process) housing_ = std::make_unique<Housing>(loop_, hearer);
  watch_machine();
  build_interceptors();
  settle_input();
}

Job::~Job() {
  for (auto const& [rank, child] : children_) channels_.close(*child);
}

void Job::watch_machine() {
  int const fd = prepared_->wait_fd();
  if (fd < 0) return;
  loop_.watch(fd, EPOLLIN, [this, fd](std::uint32_t) {
    try {
      prepared_->attend();
    } catch (Error const& error) {
      loop_.forget(fd);
      if (!hosts_) return blame(error);
      loop_.after(before_blame, [this, error] { blame(error); });
    }
  });
}

void Job::blame(Error const& machine) {
  if (ending_ == 0) give_up(machine);
}

void Job::build_interceptors() {
  JobInfo story{.command = {}, .back_end = plan_.back_end, .initial = processes_in(plan_)};
  story.command = command_of(plan_);
  for (auto const& host : plan_.hosts)
    story.hosts.push_back(fmt::format("{}:{}", host.name, host.slots));
  story.fixed_addresses = ask_fixed_addresses(plan_.tools) && can_fix_addresses();
  for (auto const& program : programs_)
    story.programs.push_back(std::filesystem::absolute(program.path).string());
  story.environment = program_environment();
  story.settings = plan_.kept_settings;
  // A tool of the user's own watches one run; wrappers are part of the program.
  for (auto const& use : plan_.tools)
    if (use.name != outside_tool.name)
      story.tools.push_back(use.argument.empty() ? use.name : use.name + "=" + use.argument);
  story.tools.insert(story.tools.end(), plan_.wrappers.begin(), plan_.wrappers.end());
  for (auto const& use : plan_.tools) {
    auto const* tool = find_tool(use.name);
    if (!tool) throw UsageError("--tool {}: there is no such debugger", use.name);
    if (tool->in_exec)
      if (auto half = tool->in_exec(use.argument, story)) interceptors_.push_back(std::move(half));
  }
  // A debugger that judges quiescence by itself, as a replay does, needs no second judge.
  if (has_judge_alone() || plan_.on_deadlock == OnDeadlock::off) return;
  auto const* how = plan_.on_deadlock == OnDeadlock::end ? "watch" : "say";
  interceptors_.push_back(find_tool("deadlock")->in_exec(how, story));
}

}  // namespace earl::exec
