// SPDX-License-Identifier: BSD-3-Clause
/// Starting, asking after and signalling processes, for other processes.
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <filesystem>

#include "exec/launcher/children/rank_channel.hpp"
#include "exec/launcher/job/job.hpp"
#include "exec/launcher/settings/environment.hpp"

namespace earl::exec {

namespace {

/// Rows of processes that have ended that are looked at for one that starts: more than one, so that
/// they do not pile up.
constexpr std::size_t releases_per_spawn = 4;

/// Absolute: a spawned program may be asked to work in another folder.
std::string folder_of(std::string const& path) {
  return std::filesystem::absolute(path).parent_path().string();
}

/// Where a process is now; empty when it cannot be said.
std::string working_folder(Child const& child) {
  if (child.elsewhere) return child.folder;
  std::error_code failed;
  auto const folder =
      std::filesystem::read_symlink(fmt::format("/proc/{}/cwd", child.registered_pid), failed);
  return failed ? std::string{} : folder.string();
}

/// One of a process's own.
Descriptor descriptor_of(Child const& child, int number) {
  if (child.elsewhere) return {};
  if (!child.outlets || (number != STDOUT_FILENO && number != STDERR_FILENO))
    return borrow_descriptor(child.registered_pid, number);
  auto const& outlet = (*child.outlets)[number == STDOUT_FILENO ? 0 : 1];
  return Descriptor(::fcntl(outlet.get(), F_DUPFD_CLOEXEC, 0));
}

}  // namespace

ProgramQuery Job::query_for(Child& parent, SpawnRequest const& request) const {
  ProgramQuery query{.name = request.program,
                     .arguments = request.arguments,
                     .folders = request.search,
                     .working_folder = request.folder,
                     .libraries = layout_.libraries};
  if (query.working_folder.empty()) query.working_folder = working_folder(parent);
  if (!parent.path.empty()) query.folders.push_back(folder_of(parent.path));
  return query;
}

/// Of a process elsewhere only the output that comes here anyway.
std::shared_ptr<Sink> Job::place_for(Child const& child, int descriptor) {
  auto const standard = descriptor == STDOUT_FILENO || descriptor == STDERR_FILENO;
  if (child.elsewhere && standard)
    if (auto place = output_.place_of(child.writer,
                                      descriptor == STDERR_FILENO ? Stream::error : Stream::out))
      return place;
  auto file = descriptor_of(child, descriptor);
  if (!file)
    say(
        fmt::format("{} wants what its children print in its descriptor {}, which the system does "
                    "not lend; it comes here",
                    describe(child), descriptor));
  return output_.place_for(std::move(file));
}

std::shared_ptr<Catcher> Job::catcher_for(Child const& parent, CatchRequest const& wanted) {
  // Later: a process that is notified of it may be found dead, while pipes are being looked
  // through.
  auto const ended = [this, owner = parent.rank, context = wanted.context](Rank rank) {
    auto const header = header_of(Kind::eager, {.source = exec_rank,
                                                .dest = owner,
                                                .context = context,
                                                .tag = Tag{number(rank)},
                                                .mode = Mode::buffered});
    loop_.after({}, [this, owner, header] { tell(owner, header, {}); });
  };
  auto const catch_up = [this, writer = parent.writer] { output_.catch_up(writer); };
  return std::make_shared<Catcher>(place_for(parent, wanted.descriptor), wanted,
                                   Catcher::Spawner{.catch_up = catch_up, .ended = ended});
}

/// Throws Refusal.
Job::Batch Job::batch_for(Child& parent, SpawnRequest const& request) {
  if (ending_ != 0) throw Refusal(1, SpawnFault::denied, "the job is ending");
  auto const query = query_for(parent, request);
  Batch batch{.name = base_name(request.program),
              .program = find_program(query),
              .arguments = {},
              .environment = {},
              .folder = query.working_folder,
              .flags = request.flags,
              .label = request.label,
              .parent = parent.rank,
              .number = ++batches_,
              .size = std::min(request.count, roster_->room())};
  batch.environment = process_environment(base_environment(plan_), batch.program.path);
  batch.arguments = {batch.program.path};
  batch.arguments.insert(batch.arguments.end(), request.arguments.begin(), request.arguments.end());
  batch.catcher = parent.catcher;
  unset(batch.environment, tell_variable);  // of the job in which this one runs, if any
  for (auto const& assignment : request.environment) {
    if (auto const wanted = catch_request_in(assignment)) {
      batch.catcher = catcher_for(parent, *wanted);
      continue;
    }
    set(batch.environment, assignment);
    if (auto const wanted = tell_request_in(assignment)) batch.tell = wanted;
  }
  if (batch.tell) batch.catcher = nullptr;
  return batch;
}

void Job::check_room() const {
  bool const again = prepared_->reuses() && !hosts_;
  if (roster_->full())
    throw Refusal(1, SpawnFault::no_room,
                  fmt::format("this job has room for {} processes {}", roster_->most(),
                              again ? "at a time and has as many"
                                    : "and all have been used: on this back end, or over several "
                                      "hosts, those of processes that have ended are not used "
                                      "again (--max-processes sets how many there are)"));
}

SpawnAnswer Job::spawn(Child& parent, SpawnRequest const& request) {
  SpawnAnswer answer;
  try {
    auto const batch = batch_for(parent, request);
    auto round = placement_.round(roster_->at(parent.rank).told_host, request.count, request.hosts);
    for (std::uint32_t i = 0; i < request.count; ++i) {
      release_some(releases_per_spawn);
      check_room();
      auto& child = add_child(row_for(batch, round.next(roster_->count())));
      equip(child, batch);
      start(child, batch);
      tell_of_start(child);
      answer.ranks.push_back(child.rank);
    }
  } catch (Refusal const& refusal) {
    answer.fault = refusal.spawn_fault();
    answer.why = refusal.what();
  }
  return answer;
}

StatusAnswer Job::status(Rank rank) const {
  if (!roster_->has(rank))
    return {.known = number(rank) >= 0 && index(rank) < roster_->count(), .alive = false};
  // Not `alive`: the answer follows from the order in which deaths are announced.
  return {.known = true, .alive = !child_at(rank).death_told};
}

StatusAnswer Job::signal(SignalRequest const& request) {
  if (request.target == exec_rank) return halt(request.signal);
  auto const answer = status(request.target);
  if (!answer.alive || request.signal <= 0 || request.signal > SIGRTMAX) return answer;
  if (roster_->life(request.target) == Life::reserved) return answer;  // there is no process yet
  auto& child = child_at(request.target);
  if (request.signal < 64) child.asked_signals |= std::uint64_t{1} << request.signal;
  if (child.rank_channel)
    child.rank_channel->signal(child.rank, request.signal);
  else if (child.registered_handle)
    ::syscall(SYS_pidfd_send_signal, child.registered_handle.get(), request.signal, nullptr, 0);
  else
    ::kill(child.pid, request.signal);
  return answer;
}

}  // namespace earl::exec
