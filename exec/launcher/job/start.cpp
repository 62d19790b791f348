// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <cerrno>

#include "exec/launcher/children/addresses.hpp"
#include "exec/launcher/children/mark.hpp"
#include "exec/launcher/job/job.hpp"
#include "exec/launcher/machine/processors.hpp"
#include "exec/launcher/output/rank_files.hpp"
#include "exec/launcher/settings/environment.hpp"

namespace earl::exec {

namespace {

constexpr std::uint32_t initial_partition = 1;
constexpr auto preload_variable = "LD_PRELOAD";

[[noreturn]] void refuse_start(std::string const& path, int error) {
  if (error == EAGAIN || error == ENOMEM)
    throw Refusal(1, SpawnFault::no_room,
                  fmt::format("this machine has no room for one more process (ulimit -u): {}",
                              system_message(error)));
  bool const missing = error == ENOENT;
  throw Refusal(missing ? exit_not_found : exit_not_executable,
                missing ? SpawnFault::not_found : SpawnFault::denied,
                fmt::format("{} cannot be started: {}", path, system_message(error)));
}

}  // namespace

/// Adds the variables that processes of this job need.
std::vector<std::string> Job::job_environment(std::vector<std::string> environment) const {
  std::string folders;
  for (auto const& folder : layout_.libraries) folders += folder + ":";
  auto const before = value_of(environment, "LD_LIBRARY_PATH");
  folders += before.value_or("");
  if (folders.back() == ':') folders.pop_back();
  set(environment, "LD_LIBRARY_PATH=" + folders);
  // Lines of a Fortran program come out when they are written, as its users remember them.
  if (!value_of(environment, "GFORTRAN_UNBUFFERED_PRECONNECTED"))
    set(environment, "GFORTRAN_UNBUFFERED_PRECONNECTED=1");
  set(environment, fmt::format("{}={}", control::variable, control_number_.get()));
  set(environment, assignment_of(mark_));
  return environment;
}

/// The same, for a process whose system loader is to load the wrappers and the libraries that the
/// program would find elsewhere, before the user's preloaded ones.
std::vector<std::string> Job::process_environment(std::vector<std::string> environment,
                                                  std::string const& program) const {
  environment = job_environment(std::move(environment));
  if (housing_) return environment;
  auto list = plan_.wrappers;
  for (auto& library : libraries_found_elsewhere(program, layout_.libraries))
    list.push_back(std::move(library));
  if (list.empty()) return environment;
  if (auto before = value_of(environment, preload_variable)) list.push_back(std::move(*before));
  set(environment, fmt::format("{}={}", preload_variable, fmt::join(list, ":")));
  return environment;
}

NewRow Job::row_for(Batch const& batch, Place const& place) const {
  return {.program = batch.name,
          .front_end = batch.program.front_end,
          .parent = batch.parent,
          .batch = batch.number,
          .batch_size = batch.size,
          .flags = batch.flags,
          .label = batch.label,
          .host = place.host,
          .told_host = place.told};
}

Child& Job::add_child(NewRow const& row) {
  auto const rank = choose_rank();
  auto child = std::make_unique<Child>();
  child->rank = rank;
  roster_->add(row, rank);
  return *(children_[rank] = std::move(child));
}

void Job::equip(Child& child, Batch const& batch) {
  child.program = batch.name;
  child.path = batch.program.path;
  child.front_end = batch.program.front_end;
  child.folder = batch.folder;
  child.catcher = batch.catcher;
  child.told = batch.tell.has_value();
  if (batch.parent == no_rank) return;
  auto const& parent = child_at(batch.parent);
  // Output of a session's tasks is in its log, unless a console wants it.
  if (!session_ || parent.console) child.outlets = parent.outlets;
}

/// A pipe that EXEC forwards, or the process's own file, of which EXEC has no end.
Pipe Job::way_out(Child const& child, std::string_view stream) const {
  if (!plan_.output_folder.empty() && !child.catcher && !child.told)
    return {.read = {}, .write = open_rank_file(plan_.output_folder, child.rank, stream)};
  auto pipe = make_pipe("for one more process");
  never_block(pipe.read);
  return pipe;
}

int Job::input_for(Child const& child) const {
  return child.rank == plan_.reader ? input_fd() : null_.get();
}

/// Nodes have a group of their own, because kill(0, SIGKILL) is an NX idiom; the rank that reads
/// from the terminal must stay in the one that owns it.
pid_t Job::group_for(Child const& child) const {
  return terminal_ && child.rank == plan_.reader ? own_group : group_;
}

Launched Job::launch_child(Child& child, Batch const& batch) {
  // Processes that a console of a session server loads write to the console's own descriptors.
  bool const direct = child.outlets != nullptr && !child.catcher && !child.told;
  auto out = direct ? Pipe{} : way_out(child, "out");
  auto error = direct ? Pipe{} : way_out(child, "err");
  auto const channel =
      channels_.open(child, {.rank = child.rank, .back_end = plan_.back_end, .tools = plan_.tools},
                     handed_to(child));
  auto const group = group_for(child);
  auto environment = batch.environment;
  set(environment, fmt::format("{}={}", control::rank_variable, number(child.rank)));
  auto const launched = launch({.path = batch.program.path,
                                .arguments = batch.arguments,
                                .environment = std::move(environment),
                                .folder = batch.folder,
                                .in = input_for(child),
                                .out = direct ? (*child.outlets)[0].get() : out.write.get(),
                                .error = direct ? (*child.outlets)[1].get() : error.write.get(),
                                .control = channel.get(),
                                .control_number = control_number_.get(),
                                .group = group,
                                .processors = batch.processors,
                                .fixed_addresses = ask_fixed_addresses(plan_.tools)},
                               inherited_);
  if (launched.error != 0) return launched;
  child.in_own_group = group == own_group;
  if (group == new_group) group_ = launched.pid;
  forward(child, batch, launched.pid, std::move(out), std::move(error));
  return launched;
}

/// Until its end.
void Job::forward(Child const& child, Batch const& batch, pid_t writer, Pipe out, Pipe error) {
  if (!out.read) return;
  if (child.catcher) {
    auto const caught = caught_output(child);
    output_.add(std::move(out.read), caught, writer);
    output_.add(std::move(error.read), caught, writer);
    return;
  }
  auto const prefix = prefix_of(child, batch);
  output_.add(std::move(out.read),
              {.from = Stream::out, .to = stream_of(child, batch), .prefix = prefix}, writer);
  output_.add(std::move(error.read), {.from = Stream::error, .to = Stream::error, .prefix = prefix},
              writer);
  tell_of(child, batch, writer);
}

std::shared_ptr<CaughtOutput> Job::caught_output(Child const& child) const {
  return std::make_shared<CaughtOutput>(child.catcher, child.rank,
                                        roster_->at(child.rank).told_host);
}

/// A spawned process's lines are not the user's program's output: marked, they go where messages
/// go.
Stream Job::stream_of(Child const& child, Batch const& batch) const {
  bool const spawned = batch.parent != no_rank && roster_->at(child.rank).partition == 0;
  return spawned ? Stream::error : Stream::out;
}

std::string Job::prefix_of(Child const& child, Batch const& batch) const {
  if (stream_of(child, batch) == Stream::out && !plan_.tag_output) return {};
  return fmt::format("[rank {} {}] ", number(child.rank), child.program);
}

/// Its rank counts as ended, and no end of it will come.
void Job::never_started(Child& child) {
  channels_.close(child);
  if (prepared_->reuses()) prepared_->ended(child.rank);
  roster_->set_life(child.rank, Life::ended);
  child.death_told = true;
  release_soon(child);
}

/// Throws Refusal when the system will not start it; the rank counts as ended then.
void Job::start(Child& child, Batch const& batch) {
  roster_->set_life(child.rank, Life::started);
  Launched launched;
  try {
    if (hosts_)
      launched = launch_elsewhere(child, batch);
    else
      launched = housing_ ? shared_process_child(child, batch) : launch_child(child, batch);
  } catch (Error const& error) {
    never_started(child);
    throw Refusal(1, SpawnFault::no_room, error.what());
  }
  if (launched.error != 0) {
    never_started(child);
    refuse_start(batch.program.path, launched.error);
  }
  child.pid = launched.pid;
  child.alive = true;
  ++alive_;
  if (child.elsewhere) {
    // It will say hello.
  } else if (child.rank_channel) {
    child.registered_pid = child.pid;
    registered(child, child.front_end);
  } else {
    child.writer = child.pid;
    by_pid_[child.pid] = child.rank;
    roster_->set_pid(child.rank, child.pid);
  }
  if (plan_.verbose) say(fmt::format("{} is {}{}", describe(child), child.path, pid_of(child)));
}

std::string Job::pid_of(Child const& child) {
  return child.elsewhere ? std::string{} : fmt::format(", pid {}", child.pid);
}

/// On this host: nothing.
std::string Job::place_of(Child const& child) const {
  if (!child.elsewhere) return {};
  return fmt::format(" on host {}", hosts_->at(roster_->at(child.rank).host).name());
}

Job::Batch Job::batch_of(std::size_t at) const {
  auto const& app = plan_.apps[at];
  auto environment = environment_of(app, plan_);
  Batch batch{.name = base_name(app.command.front()),
              .program = programs_[at],
              .arguments = app.command,
              .environment = process_environment(std::move(environment), programs_[at].path),
              .folder = app.folder,
              .size = processes_in(plan_)};
  // Its name as typed would mean another file there.
  if (!app.folder.empty() && batch.arguments.front().find('/') != std::string::npos)
    batch.arguments.front() = batch.program.path;
  if (!app.processors.empty()) batch.processors = parse_processors(app.processors);
  batch.processor_words = app.processors;
  return batch;
}

/// The row of the app's next process. Where one app is the host of the others, these are loaded
/// into a partition of its own.
NewRow Job::initial_row(std::size_t app, Batch const& batch) const {
  auto row = row_for(batch, next_place());
  if (app == host_) row.role = Role::alone;
  if (app == host_ || host_ == plan_.apps.size()) return row;
  row.partition = initial_partition;
  row.place = roster_->count() - (host_ < app ? 1 : 0);
  return row;
}

void Job::start_initial() {
  std::vector<Batch> batches;
  for (std::size_t i = 0; i < plan_.apps.size(); ++i) batches.push_back(batch_of(i));
  for (std::size_t i = 0; i < plan_.apps.size(); ++i)
    for (std::uint32_t n = 0; n < plan_.apps[i].count; ++n)
      equip(add_child(initial_row(i, batches[i])), batches[i]);
  if (host_ < plan_.apps.size() && plan_.apps.size() > 1) give_host_its_nodes();
  // All rows are there before the first process runs and asks how many there are.
  if (!batches.empty()) roster_->set_initial(processes_in(plan_));
  auto next = children_.begin();
  for (std::size_t i = 0; i < plan_.apps.size(); ++i)
    for (std::uint32_t n = 0; n < plan_.apps[i].count; ++n) start(*(next++)->second, batches[i]);
  if (housing_) housing_->begin();
}

/// The thesis's implicit startup: the host finds its nodes loaded.
void Job::give_host_its_nodes() {
  for (auto const& [rank, child] : children_)
    if (roster_->at(child->rank).partition == initial_partition)
      waits_.expect(child->rank);
    else
      partitions_->allocate(child->rank, {.places = processes_in(plan_) - 1});
}

}  // namespace earl::exec
