// SPDX-License-Identifier: BSD-3-Clause
#include "exec/launcher/job/process_service.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <filesystem>

#include "exec/launcher/children/child_end.hpp"
#include "exec/launcher/children/rank_channel.hpp"
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
  if (child.is_remote()) return child.folder;
  std::error_code failed;
  auto const folder =
      std::filesystem::read_symlink(fmt::format("/proc/{}/cwd", child.registered_pid), failed);
  return failed ? std::string{} : folder.string();
}

/// One of a process's own.
Descriptor descriptor_of(Child const& child, int number) {
  if (child.is_remote()) return {};
  if (!child.outlets || (number != STDOUT_FILENO && number != STDERR_FILENO))
    return borrow_descriptor(child.registered_pid, number);
  auto const& outlet = (*child.outlets)[number == STDOUT_FILENO ? 0 : 1];
  return Descriptor(::fcntl(outlet.get(), F_DUPFD_CLOEXEC, 0));
}

}  // namespace

ProgramQuery ProcessService::query_for(Child const& parent, SpawnRequest const& request) const {
  ProgramQuery query{.name = request.program,
                     .arguments = request.arguments,
                     .folders = request.search,
                     .working_folder = request.folder,
                     .libraries = context_.layout.libraries};
  if (query.working_folder.empty()) query.working_folder = working_folder(parent);
  if (!parent.path.empty()) query.folders.push_back(folder_of(parent.path));
  return query;
}

/// Output of a process on another host only as it comes here anyway.
std::shared_ptr<Sink> ProcessService::place_for(Child const& child, int descriptor) {
  auto const standard = descriptor == STDOUT_FILENO || descriptor == STDERR_FILENO;
  if (child.is_remote() && standard)
    if (auto place = parts_.output.place_of(
            child.writer, descriptor == STDERR_FILENO ? Stream::error : Stream::out))
      return place;
  auto file = descriptor_of(child, descriptor);
  if (!file)
    parts_.output.report(
        fmt::format("{} wants what its children print in its descriptor {}, which the system does "
                    "not lend; it comes here",
                    describe(child), descriptor));
  return parts_.output.place_for(std::move(file));
}

std::shared_ptr<Catcher> ProcessService::catcher_for(Child const& parent,
                                                     CatchRequest const& wanted) {
  // Later: a process notified of it may be found dead, while pipes are being looked through.
  auto const ended = [this, owner = parent.rank, context = wanted.context](Rank rank) {
    auto const header = header_of(Kind::eager, {.source = exec_rank,
                                                .dest = owner,
                                                .context = context,
                                                .tag = Tag{number(rank)},
                                                .mode = Mode::buffered});
    parts_.loop.after({},
                      [this, owner, header] { parts_.services.send_message(owner, header, {}); });
  };
  auto const catch_up = [this, writer = parent.writer] { parts_.output.catch_up(writer); };
  return std::make_shared<Catcher>(place_for(parent, wanted.descriptor), wanted,
                                   Catcher::Spawner{.catch_up = catch_up, .ended = ended});
}

/// Throws Refusal.
LaunchSpec ProcessService::spec_for(Child& parent, SpawnRequest const& request) {
  if (parts_.shutdown.begun()) throw Refusal(1, SpawnFault::denied, "the job is ending");
  auto const query = query_for(parent, request);
  LaunchSpec spec{.name = base_name(request.program),
                  .program = find_program(query),
                  .arguments = {},
                  .environment = {},
                  .folder = query.working_folder,
                  .flags = request.flags,
                  .label = request.label,
                  .parent = parent.rank,
                  .batch = parts_.roster.next_batch(),
                  .size = std::min(request.count, parts_.roster.room())};
  spec.environment =
      context_.environment.of_process(base_environment(context_.plan), spec.program.path);
  spec.arguments = {spec.program.path};
  spec.arguments.insert(spec.arguments.end(), request.arguments.begin(), request.arguments.end());
  spec.catcher = parent.catcher;
  unset(spec.environment, subscription_variable);  // of the job in which this one runs, if any
  for (auto const& assignment : request.environment) {
    if (auto const wanted = catch_request_in(assignment)) {
      spec.catcher = catcher_for(parent, *wanted);
      continue;
    }
    set(spec.environment, assignment);
    if (auto const wanted = subscription_request_in(assignment)) spec.subscription = wanted;
  }
  if (spec.subscription) spec.catcher = nullptr;
  return spec;
}

void ProcessService::check_room() const {
  bool const again = context_.back_end->reuses();
  if (parts_.roster.full())
    throw Refusal(1, SpawnFault::no_room,
                  fmt::format("this job has room for {} processes {}", parts_.roster.most(),
                              again ? "at a time and has as many"
                                    : "and all have been used: on this back end those of processes "
                                      "that have ended are not used again (--max-processes sets "
                                      "how many there are)"));
}

/// Gives each process its row. Throws Refusal when there is no room for more than are in `ranks`.
void ProcessService::allocate(std::vector<Rank>& ranks, Child const& parent,
                              SpawnRequest const& request, LaunchSpec const& spec) {
  auto round = parts_.placement.round(parts_.roster.at(parent.rank).visible_host, request.count,
                                      request.hosts);
  for (std::uint32_t i = 0; i < request.count; ++i) {
    parts_.rows.release_some(releases_per_spawn);
    check_room();
    auto const row = parts_.starter.row_for(spec, round.next(parts_.roster.count()));
    auto& child = parts_.rows.allocate(row);
    parts_.starter.equip(child, spec);
    ranks.push_back(child.rank);
  }
}

/// Processes after one that does not start are not started. Throws Refusal.
void ProcessService::start_all(SpawnAnswer& answer, std::vector<Rank> const& ranks,
                               LaunchSpec const& spec) {
  auto next = ranks.begin();
  try {
    while (next != ranks.end()) {
      auto const rank = *next++;
      parts_.starter.start(parts_.children.at(rank), spec);
      parts_.delivery.notify_start(rank);
      answer.ranks.push_back(rank);
    }
  } catch (Refusal const&) {
    for (; next != ranks.end(); ++next) parts_.starter.cancel(parts_.children.at(*next));
    throw;
  }
}

/// All have their rows before the first is started: it may count its siblings at once.
SpawnAnswer ProcessService::spawn(Child& parent, SpawnRequest const& request) {
  SpawnAnswer answer;
  LaunchSpec spec;
  std::vector<Rank> ranks;
  auto const attempt = [&answer](auto const& step) {
    try {
      step();
    } catch (Refusal const& refusal) {
      answer.fault = refusal.spawn_fault();
      answer.why = refusal.what();
    }
  };
  attempt([&] {
    spec = spec_for(parent, request);
    allocate(ranks, parent, request, spec);
  });
  attempt([&] { start_all(answer, ranks, spec); });
  return answer;
}

StatusAnswer ProcessService::status(Rank rank) const {
  if (!parts_.roster.has(rank))
    return {.known = number(rank) >= 0 && index(rank) < parts_.roster.count(), .alive = false};
  // Not `alive`: what is answered follows from the order in which deaths are announced.
  return {.known = true, .alive = parts_.children.at(rank).death != Announcement::made};
}

/// EXEC itself was meant: it is known to the members of a session, which ends.
StatusAnswer ProcessService::end_session(int signal) {
  if (parts_.guests.serving() != Serving::session || signal != SIGTERM) return {};
  parts_.shutdown.begin(0, SIGTERM);  // the caller, too: before it has the answer
  return {.known = true, .alive = true};
}

StatusAnswer ProcessService::signal(SignalRequest const& request) {
  if (request.target == exec_rank) return end_session(request.signal);
  auto const answer = status(request.target);
  if (!answer.alive || request.signal <= 0 || request.signal > SIGRTMAX) return answer;
  if (parts_.roster.state(request.target) == RankState::reserved)
    return answer;  // there is no process yet
  auto& child = parts_.children.at(request.target);
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
