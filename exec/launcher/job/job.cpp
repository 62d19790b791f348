// SPDX-License-Identifier: BSD-3-Clause
/// The parts of a job, and how they are put together.
#include "exec/launcher/job/job.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/epoll.h>
#include <unistd.h>

#include <algorithm>

#include "backends/registry.hpp"
#include "exec/launcher/children/mark.hpp"
#include "exec/launcher/job/plan_interceptors.hpp"
#include "exec/launcher/resources/memory.hpp"
#include "generic/seams/isolated_half.hpp"

namespace earl::exec {

namespace {

constexpr std::uint32_t least_capacity = 256;
/// For a job whose first process may load others: their number is unknown. Unused rows cost
/// nothing.
constexpr std::uint32_t host_capacity = 8192;
/// Before a failure of the back end ends the job: the failure may come from the end of a process or
/// host that EXEC does not know of yet.
constexpr auto before_blame = std::chrono::milliseconds{500};
constexpr rlim_t files_per_process = 3;      ///< a channel and two pipes
constexpr rlim_t files_per_shared_rank = 2;  ///< those it prints to, in the shared process
constexpr rlim_t files_of_exec = 64;

std::uint32_t capacity_for(Plan const& plan, std::vector<Program> const& programs) {
  // It may load others, or begins with guests.
  bool const hosted = plan.apps.empty() || host_app(plan, programs);
  if (plan.most_processes != 0) return plan.most_processes;
  if (hosted) return std::max(host_capacity, processes_in(plan));
  return std::min(most_ranks, std::max(least_capacity, 2 * processes_in(plan)));
}

/// Descriptors of EXEC that each process takes.
rlim_t files_of_each(Backend const& back_end, Plan const& plan) {
  if (!plan.hosts.empty()) return 0;
  if (!back_end.shared_process) return files_per_process + back_end.descriptors_each;
  return plan.output_folder.empty() ? 0 : files_per_shared_rank;
}

/// Throws UsageError when the host's limit is too low for `processes` that take so many each;
/// gives what was set.
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

Backend const& back_end_of(Plan const& plan) {
  if (auto const* const back_end = find_back_end(plan.back_end)) return *back_end;
  throw UsageError("--on {}: there is no such back end", plan.back_end);
}

std::uint32_t first_processes(Plan const& plan) { return std::max(processes_in(plan), 1U); }

/// EXEC's own limits and signals, before it changes them for itself. Throws UsageError.
Inherited inherited_state(Plan const& plan, Backend const& back_end, Signals const& signals,
                          std::string_view mark) {
  return {.mask = signals.mask_before(),
          .files = raise_file_limit(first_processes(plan), files_of_each(back_end, plan)),
          .sigpipe_ignored = sigpipe_was_ignored(),
          .mark = limit_of(mark)};
}

}  // namespace

Job::Job(Plan const& plan, std::vector<Program> programs, Layout const& layout)
    : plan_(plan),
      kind_(back_end_of(plan)),
      programs_(std::move(programs)),
      layout_(layout),
      signals_(loop_, [this](SignalEvent const& signal) { handle_signal(signal); }),
      output_(loop_, [this](Stream stream, int number) { output_broken(stream, number); }),
      channels_(loop_, *this),
      null_(::open("/dev/null", O_RDONLY | O_CLOEXEC)),
      mark_(new_mark()),
      inherited_(inherited_state(plan, kind_, signals_, mark_)),
      control_number_(keep_control_number(null_)),
      group_(mark_),
      roster_(capacity_for(plan, programs_)),
      back_end_(loop_),
      placement_(plan.hosts, plan.recorded_hosts),
      partitions_(roster_),
      shutdown_(loop_, *this),
      input_({plan, loop_, output_, interceptors_}),
      environment_({plan, layout, control_number_.get(), mark_, kind_.shared_process != nullptr}),
      messages_({channels_, children_, roster_, monitor_, remote_}),
      waits_(messages_),
      named_services_(messages_),
      services_{&waits_, &named_services_},
      monitor_({.loop = loop_,
                .channels = channels_,
                .children = children_,
                .roster = roster_,
                .interceptors = interceptors_,
                .services = services_,
                .shared_process = kind_.shared_process != nullptr},
               *this),
      calls_({loop_, channels_, children_, interceptors_}, messages_),
      gate_(interceptors_, *this),
      delivery_({loop_, output_, children_, interceptors_, named_services_, messages_},
                [this] { gate_.run(); }),
      routes_({plan, output_, roster_, delivery_}),
      rows_({.loop = loop_,
             .children = children_,
             .roster = roster_,
             .back_end = back_end_,
             .interceptors = interceptors_,
             .first_spawned = processes_in(plan),
             .waits_for_all = !plan.hosts.empty() && plan.recorded_hosts.has_value()},
            *this),
      launching_{plan,
                 layout,
                 channels_,
                 roster_,
                 back_end_,
                 routes_,
                 input_,
                 environment_,
                 group_,
                 inherited_,
                 control_number_.get()},
      ends_({plan, loop_, output_, channels_, children_, roster_, back_end_, group_, shared_,
             remote_, monitor_, shutdown_, failures_, gate_}),
      guests_({plan, loop_, output_, channels_, children_, roster_, back_end_, named_services_,
               rows_, ends_}),
      local_(launching_, null_.get()),
      remote_(launching_,
              {loop_, output_, children_, roster_, placement_, shutdown_, messages_, ends_}),
      starter_(launching_,
               {output_, children_, roster_, placement_, rows_, guests_, local_, shared_, remote_}),
      initial_({plan, programs_, children_, roster_, rows_, environment_, starter_, partitions_,
                waits_}),
      processes_(launching_, {loop_, output_, children_, roster_, placement_, rows_, shutdown_,
                              delivery_, guests_, starter_, messages_}),
      loading_(
          {output_, children_, roster_, rows_, guests_, starter_, processes_, partitions_, waits_}),
      forked_(launching_, {loop_, children_, roster_, shutdown_, processes_, loading_, partitions_,
                           waits_, ends_, kind_.shared_process != nullptr}),
      failures_({output_, children_, shutdown_, interceptors_}, *this) {
  roster_.set_message_memory(plan.message_memory.value_or(usual_message_memory()));
  if (kind_.shared_process)
    shared_.emplace(launching_,
                    SharedProcessLauncher::Parts{loop_, children_, output_, monitor_, ends_});
  prepare_back_end();
  add_interceptors(interceptors_, plan_, programs_);
  channels_.pass_notes([this](Rank from, control::Note const& note) {
    interceptors_.notified(from, note.debugger, note.bytes.bytes());
    gate_.run();
  });
  for (auto* const half : interceptors_.all_implementing<IsolatedHalf>()) {
    group_.spare(half->process());
    half->may_end_job([this](int exit_code, std::string_view sentence) {
      report(sentence);
      // Not now: a caller may be iterating over processes.
      if (!over()) loop_.after({}, [this, exit_code] { end(exit_code); });
    });
  }
  input_.choose();
  remote_.read_from(input_.fd());
}

Job::~Job() {
  for (auto& [rank, child] : children_.all()) channels_.close(child);
}

void Job::prepare_back_end() {
  const JobFacts facts{
      .initial = first_processes(plan_), .capacity = roster_.capacity(), .encrypted = plan_.secure};
  auto half = plan_.user_launcher ? plan_.user_launcher->prepare() : nullptr;
  if (!half) half = plan_.hosts.empty() ? kind_.prepare(facts) : remote_.prepare(facts);
  back_end_.prepare(std::move(half));
  back_end_.watch([this](Error const& error) {
    if (!remote_.used()) return back_end_failed(error);
    loop_.after(before_blame, [this, error] { back_end_failed(error); });
  });
  int const ended = plan_.user_launcher ? plan_.user_launcher->ended_fd() : -1;
  if (ended < 0) return;
  loop_.watch(ended, EPOLLIN, [this, ended](std::uint32_t) {
    loop_.remove(ended);
    back_end_failed(
        Error("the job ended because {} or one of its processes ended; see its output above",
              plan_.user_launcher->name()));
  });
}

void Job::back_end_failed(Error const& error) {
  if (!shutdown_.begun()) debugger_failed(error);
}

}  // namespace earl::exec
