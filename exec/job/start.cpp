#include <fcntl.h>
#include <fmt/format.h>
#include <sys/epoll.h>
#include <sys/prctl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>

#include "backends/registry.hpp"
#include "debug/registry.hpp"
#include "exec/children/environment.hpp"
#include "exec/children/guard.hpp"
#include "exec/children/mark.hpp"
#include "exec/job/job.hpp"
#include "exec/machine/processors.hpp"
#include "exec/output/rank_files.hpp"

namespace earl::exec {

namespace {

constexpr std::uint32_t initial_partition = 1;
constexpr std::uint32_t least_capacity = 256;
/// Of a job whose first process may load others: nobody knows how many. Unused rows cost nothing.
constexpr std::uint32_t host_capacity = 8192;
constexpr rlim_t files_per_process = 3;  ///< a channel and two pipes
constexpr rlim_t files_per_tenant = 2;   ///< those it prints to, in the house
constexpr rlim_t files_of_exec = 64;

/// Whether the app's process may load others: it was linked as a host, or nobody has said how many
/// processes there are.
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

/// Of EXEC's.
rlim_t files_of_each(Backend const& back_end, Plan const& plan) {
  if (!plan.hosts.empty()) return 0;
  if (!back_end.house) return files_per_process + back_end.descriptors_each;
  return plan.output_folder.empty() ? 0 : files_per_tenant;
}

/// Throws UsageError when the machine's limit is too low for `processes` that take so many each;
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

Job::Job(Plan const& plan, std::vector<Program> programs, Layout const& layout)
    : plan_(plan),
      programs_(std::move(programs)),
      layout_(layout),
      signals_(loop_, [this](Caught const& signal) { caught(signal); }),
      output_(loop_, [this](Stream stream, int number) { output_broken(stream, number); }),
      channels_(loop_, *this),
      null_(::open("/dev/null", O_RDONLY | O_CLOEXEC)),
      terminal_(::isatty(STDIN_FILENO) == 1),
      mark_(new_mark()) {
  auto const* back_end = find_back_end(plan.back_end);
  if (!back_end) throw UsageError("--on {}: there is no such back end", plan.back_end);
  auto const initial = std::max(processes_in(plan), 1U);
  inherited_ = {.mask = signals_.mask_before(),
                .files = raise_file_limit(initial, files_of_each(*back_end, plan)),
                .sigpipe_ignored = sigpipe_was_ignored()};
  control_number_ = keep_control_number(null_);
  // What a node forks and leaves behind becomes EXEC's child, so that nothing is left of a job. A
  // shell that became EXEC (exec earl run) may have children of its own, who are not to be harmed.
  adopts_ = own_children().empty() && ::prctl(PR_SET_CHILD_SUBREAPER, 1) == 0;
  guard_ = group_ = start_guard(mark_);
  host_ = find_host(plan, programs_);
  bool const hosted = plan.apps.empty() || host_ < plan.apps.size();
  const JobFacts facts{.initial = initial, .capacity = capacity_for(plan, hosted)};
  roster_ = std::make_unique<Roster>(facts.capacity);
  partitions_ = std::make_unique<Partitions>(*roster_);
  if (plan_.hosts.empty())
    prepared_ = back_end->prepare(facts);
  else
    prepare_hosts(facts);
  HouseHearer& hearer = *this;
  if (back_end->house) housing_ = std::make_unique<Housing>(loop_, hearer);
  watch_machine();
  build_interceptors();
}

Job::~Job() {
  for (auto& child : children_) channels_.close(*child);
}

void Job::watch_machine() {
  int const fd = prepared_->wait_fd();
  if (fd < 0) return;
  loop_.watch(fd, EPOLLIN, [this, fd](std::uint32_t) {
    try {
      prepared_->attend();
    } catch (Error const& error) {
      loop_.forget(fd);
      if (ending_ == 0) give_up(error);
    }
  });
}

void Job::build_interceptors() {
  JobStory story{.command = {}, .back_end = plan_.back_end, .initial = processes_in(plan_)};
  story.command = command_of(plan_);
  for (auto const& use : plan_.tools) {
    auto const* tool = find_tool(use.name);
    if (!tool) throw UsageError("--tool {}: there is no such debugger", use.name);
    if (tool->in_exec)
      if (auto half = tool->in_exec(use.argument, story)) interceptors_.push_back(std::move(half));
  }
  // A debugger that judges by itself what stands still, as a replay does, needs no second opinion.
  if (has_judge() || plan_.on_deadlock == OnDeadlock::off) return;
  auto const* how = plan_.on_deadlock == OnDeadlock::end ? "watch" : "say";
  interceptors_.push_back(find_tool("deadlock")->in_exec(how, story));
}

/// With what processes of this job need.
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

NewRow Job::row_for(Batch const& batch) const {
  return {.program = batch.name,
          .front_end = batch.program.front_end,
          .parent = batch.parent,
          .batch = batch.number,
          .batch_size = batch.size,
          .flags = batch.flags,
          .label = batch.label,
          .host = plan_.hosts.empty() ? 0 : host_for(plan_.hosts, roster_->count())};
}

Child& Job::add_child(NewRow const& row) {
  auto child = std::make_unique<Child>();
  child->rank = roster_->add(row);
  children_.push_back(std::move(child));
  return *children_.back();
}

void Job::equip(Child& child, Batch const& batch) {
  child.program = batch.name;
  child.path = batch.program.path;
  child.front_end = batch.program.front_end;
  child.folder = batch.folder;
  child.catcher = batch.catcher;
  if (batch.parent != no_rank) child.outlets = children_[index(batch.parent)]->outlets;
}

/// A pipe that EXEC forwards, or the process's own file, of which EXEC has no end.
Pipe Job::way_out(Child const& child, std::string_view stream) const {
  if (!plan_.output_folder.empty() && !child.catcher)
    return {.read = {}, .write = open_rank_file(plan_.output_folder, child.rank, stream)};
  auto pipe = make_pipe("for one more process");
  never_block(pipe.read);
  return pipe;
}

int Job::input_for(Child const& child) const {
  return child.rank == plan_.reader ? STDIN_FILENO : null_.get();
}

/// Nodes have a group of their own, because kill(0, SIGKILL) is an NX idiom; whoever reads from the
/// terminal must stay in the one that owns it.
pid_t Job::group_for(Child const& child) const {
  return terminal_ && child.rank == plan_.reader ? own_group : group_;
}

Launched Job::launch_child(Child& child, Batch const& batch) {
  // What a visitor of a keeper loads writes to the visitor's own descriptors.
  bool const direct = child.outlets != nullptr && !child.catcher;
  auto out = direct ? Pipe{} : way_out(child, "out");
  auto error = direct ? Pipe{} : way_out(child, "err");
  auto const channel = channels_.open(
      child, {.rank = child.rank, .back_end = plan_.back_end, .tools = plan_.tools},
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
                                .processors = batch.processors},
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
    auto const caught = std::make_shared<CaughtOutput>(child.catcher, child.rank);
    output_.add(std::move(out.read), caught, writer);
    output_.add(std::move(error.read), caught, writer);
    return;
  }
  auto const prefix = prefix_of(child, batch);
  output_.add(std::move(out.read), stream_of(child, batch), prefix, writer);
  output_.add(std::move(error.read), Stream::error, prefix, writer);
}

/// A spawned process's lines belong to nobody's output: marked, they go where messages go.
Stream Job::stream_of(Child const& child, Batch const& batch) const {
  bool const spawned = batch.parent != no_rank && roster_->at(child.rank).partition == 0;
  return spawned ? Stream::error : Stream::out;
}

std::string Job::prefix_of(Child const& child, Batch const& batch) const {
  if (stream_of(child, batch) == Stream::out && !plan_.tag_output) return {};
  return fmt::format("[rank {} {}] ", number(child.rank), child.program);
}

/// Throws Refusal when the system will not start it; the rank counts as ended then.
void Job::start(Child& child, Batch const& batch) {
  roster_->set_life(child.rank, Life::started);
  Launched launched;
  try {
    if (hosts_)
      launched = launch_elsewhere(child, batch);
    else
      launched = housing_ ? house_child(child, batch) : launch_child(child, batch);
  } catch (Error const& error) {
    channels_.close(child);
    roster_->set_life(child.rank, Life::ended);
    throw Refusal(1, SpawnFault::no_room, error.what());
  }
  if (launched.error != 0) {
    channels_.close(child);
    roster_->set_life(child.rank, Life::ended);
    refuse_start(batch.program.path, launched.error);
  }
  child.pid = launched.pid;
  child.alive = true;
  ++alive_;
  if (child.elsewhere) {
    // It will say hello.
  } else if (child.quarters) {
    child.registered_pid = child.pid;
    registered(child, child.front_end);
  } else {
    child.writer = child.pid;
    by_pid_[child.pid] = child.rank;
    roster_->set_pid(child.rank, child.pid);
  }
  if (plan_.verbose) say(fmt::format("{} is {}{}", describe(child), child.path, place_of(child)));
}

std::string Job::place_of(Child const& child) const {
  if (!child.elsewhere) return fmt::format(", pid {}", child.pid);
  return fmt::format(" on host {}", hosts_->at(roster_->at(child.rank).host).name());
}

Job::Batch Job::batch_of(std::size_t at) const {
  auto const& app = plan_.apps[at];
  Batch batch{.name = base_name(app.command.front()),
              .program = programs_[at],
              .arguments = app.command,
              .environment = job_environment(environment_of(app)),
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
  auto row = row_for(batch);
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
  std::size_t rank = 0;
  for (std::size_t i = 0; i < plan_.apps.size(); ++i)
    for (std::uint32_t n = 0; n < plan_.apps[i].count; ++n) start(*children_[rank++], batches[i]);
  if (housing_) housing_->begin();
}

/// The thesis's implicit startup: the host finds its nodes loaded.
void Job::give_host_its_nodes() {
  for (auto const& child : children_)
    if (roster_->at(child->rank).partition == initial_partition)
      waits_.expect(child->rank);
    else
      partitions_->allocate(child->rank, {.places = processes_in(plan_) - 1});
}

}  // namespace earl::exec
