// SPDX-License-Identifier: BSD-3-Clause
/// The start of processes on this host.
#include <unistd.h>

#include <cerrno>

#include "exec/launcher/agent/agent.hpp"
#include "exec/launcher/children/addresses.hpp"
#include "exec/launcher/children/mark.hpp"
#include "exec/launcher/output/rank_files.hpp"
#include "exec/launcher/resources/processors.hpp"
#include "exec/launcher/settings/environment.hpp"
#include "generic/system/pipe.hpp"

namespace earl::exec {

void Agent::refuse(Rank rank, int error) {
  line_.send(
      control::Type::refused,
      control::LaunchRefusal{.rank = rank,
                             .error = error,
                             .sentence = fmt::format("{} cannot be started: {}", program_->path,
                                                     system_message(error))});
}

void Agent::start(control::LaunchRequest const& request) {
  if (!program_ || !roster_->has(request.rank) || children_.contains(number(request.rank)))
    throw Error("rank {} cannot be started", number(request.rank));
  auto& child = *(children_[number(request.rank)] = std::make_unique<Child>());
  child.rank = request.rank;
  int error = 0;
  try {
    error = launch_child(child, request);
  } catch (Error const& failure) {
    line_.send(
        control::Type::refused,
        control::LaunchRefusal{.rank = request.rank, .error = EAGAIN, .sentence = failure.what()});
    channels_.close(child);
    return;
  }
  if (error == 0) return line_.send(control::Type::started, control::RankValue{.rank = child.rank});
  channels_.close(child);
  outlets_.drain(child.rank);
  refuse(child.rank, error);
}

/// A pipe that EXEC reads, or the process's own file.
Descriptor Agent::output_pipe(Rank rank, int stream) {
  if (!configuration_->output_folder.empty())
    return open_rank_file(configuration_->output_folder, rank,
                          stream == STDOUT_FILENO ? "out" : "err");
  auto pipe = make_pipe("for one more process");
  never_block(pipe.read);
  outlets_.add(rank, stream, std::move(pipe.read));
  return std::move(pipe.write);
}

/// The reading end of EXEC's standard input.
Descriptor Agent::input_pipe() {
  auto pipe = make_pipe("for one more process");
  never_block(pipe.write);
  outlets_.feed_into(std::move(pipe.write));
  return std::move(pipe.read);
}

/// The variables of every process of the job, and this one's own.
std::vector<std::string> Agent::environment_for(Rank rank) const {
  auto environment = program_->environment;
  set(environment, fmt::format("{}={}", control::variable, control_number_.get()));
  set(environment, fmt::format("{}={}", control::rank_variable, number(rank)));
  set(environment, assignment_of(mark_));
  return environment;
}

/// Returns errno; 0: it runs.
int Agent::launch_child(Child& child, control::LaunchRequest const& request) {
  std::uint32_t here = 0;
  auto handed = back_ends_->descriptors(child.rank, here);
  handed.insert(handed.begin(), roster_->descriptor());
  auto const channel = channels_.open(child,
                                      {.rank = child.rank,
                                       .back_end = configuration_->back_end,
                                       .tools = configuration_->tools,
                                       .link = configuration_->link,
                                       .here = here},
                                      handed);
  auto const out = output_pipe(child.rank, STDOUT_FILENO);
  auto const error = output_pipe(child.rank, STDERR_FILENO);
  auto const in = request.reads ? input_pipe() : Descriptor{};
  Launch what{.path = program_->path,
              .arguments = program_->arguments,
              .environment = environment_for(child.rank),
              .folder = program_->folder,
              .in = in ? in.get() : null_.get(),
              .out = out.get(),
              .error = error.get(),
              .control = channel.get(),
              .control_number = control_number_.get(),
              .group = group_,
              .fixed_addresses = ask_fixed_addresses(configuration_->tools)};
  what.processors = binding_.next();
  if (!request.processors.empty()) what.processors = parse_processors(request.processors);
  auto const launched = launch(what, inherited_);
  if (launched.error != 0) return launched.error;
  if (group_ == new_group) group_ = launched.pid;
  child.pid = launched.pid;
  child.phase = Phase::running;
  by_pid_[child.pid] = &child;
  return 0;
}

}  // namespace earl::exec
