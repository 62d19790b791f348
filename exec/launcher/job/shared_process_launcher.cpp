// SPDX-License-Identifier: BSD-3-Clause
#include "exec/launcher/job/shared_process_launcher.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>

#include "exec/launcher/children/debugger.hpp"
#include "exec/launcher/settings/environment.hpp"
#include "exec/runtime/branch_server.hpp"

namespace earl::exec {

namespace {

Descriptor copy_of(int fd) {
  Descriptor copy(::fcntl(fd, F_DUPFD_CLOEXEC, 0));
  if (!copy)
    throw Error(Fault::full, "no descriptor for one more process: {}", system_message(errno));
  return copy;
}

}  // namespace

bool SharedProcessLauncher::has_terminal() const {
  return context_.input.is_terminal() && (context_.plan.reader || context_.plan.gdb);
}

/// The shared process itself writes where EXEC does, and only when something is wrong with it.
Launched SharedProcessLauncher::open() {
  auto const& plan = context_.plan;
  std::vector<Descriptor> handed;
  handed.push_back(copy_of(context_.roster.descriptor()));
  handed.push_back(parts_.output.share());
  for (int const fd : context_.back_end->descriptors(Rank{})) handed.push_back(copy_of(fd));
  auto const line = channel_.open({.back_end = plan.back_end, .tools = plan.tools}, handed);
  auto environment = context_.environment.of_job(base_environment(plan));
  set(environment, fmt::format("EARL_STACK={}", plan.stack));
  set(environment, fmt::format("EARL_SEED={}", plan.seed));
  set(environment, fmt::format("EARL_TIME={}", plan.virtual_time ? "virtual" : "real"));
  if (plan.branches >= 0)
    set(environment, fmt::format("{}={}", boot::branches_variable, plan.branches));
  auto const group = has_terminal() ? own_group : context_.group.id();
  std::vector<std::string> command{context_.layout.commands + "/earl", "shared-process",
                                   plan.back_end};
  if (plan.gdb) command = under_gdb(std::move(command), plan.back_end);
  auto const launched = exec::launch({.path = command.front(),
                                      .arguments = command,
                                      .environment = std::move(environment),
                                      .folder = {},
                                      .in = STDIN_FILENO,
                                      .out = STDOUT_FILENO,
                                      .error = STDERR_FILENO,
                                      .control = line.get(),
                                      .control_number = context_.control_number,
                                      .group = group},
                                     context_.inherited);
  if (launched.error == 0) channel_.set_pid(launched.pid);
  if (group == new_group) context_.group.begun_by(launched.pid);
  return launched;
}

std::vector<Descriptor> SharedProcessLauncher::descriptors_of(Child const& child) const {
  std::vector<Descriptor> list;
  if (OutputRoutes::is_direct(child)) {
    for (auto const& outlet : *child.outlets) list.push_back(copy_of(outlet.get()));
  } else if (context_.routes.has_own_descriptors(child)) {
    list.push_back(context_.routes.open(child, "out").write);
    list.push_back(context_.routes.open(child, "err").write);
  }
  if (child.rank == context_.plan.reader) list.push_back(copy_of(context_.input.fd()));
  return list;
}

Launched SharedProcessLauncher::launch(Child& child, LaunchSpec const& spec) {
  if (spec.program.front_end.empty() && !spec.program.of_the_core)
    throw Refusal(exit_refused, SpawnFault::foreign,
                  fmt::format("{} is a script or no program of Earl's, and {} runs programs "
                              "themselves only: name the "
                              "program, or use --on shm",
                              spec.program.path, context_.plan.back_end));
  if (!channel_.opened())
    if (auto launched = open(); launched.error != 0) return launched;
  // A rank is known by a front end from the start; here there is none that could say its name.
  if (child.front_end.empty()) child.front_end = "core";
  channel_.load({.path = spec.program.path,
                 .front_end = child.front_end,
                 .arguments = spec.arguments,
                 .environment = spec.environment,
                 .folder = spec.folder,
                 .wrappers = context_.plan.wrappers},
                {.rank = child.rank,
                 .prints = context_.routes.has_own_descriptors(child),
                 .reads = child.rank == context_.plan.reader},
                descriptors_of(child));
  child.rank_channel = &channel_;
  child.in_own_group = has_terminal();
  child.writer = writer_of(child.rank);
  context_.routes.forward_shared(child, spec);
  return {.pid = channel_.pid(), .error = 0};
}

/// A message that it waits for must come, also when its own are ignored.
void SharedProcessLauncher::on_rank_message(Rank rank, control::Message message) {
  auto* const child = parts_.children.find(rank);
  if (child && child->alive() && child->rank_channel && !child->protocol_failed)
    context_.channels.take(*child, std::move(message));
  else
    channel_.handled();
}

void SharedProcessLauncher::departed(Rank rank, int wait_status) {
  auto* const child = parts_.children.find(rank);
  if (!child) return;
  if (child->alive() && child->rank_channel) parts_.listener.ended(*child, wait_status);
  channel_.handled();
}

void SharedProcessLauncher::check() {
  auto const status = wait_status_of(pid());
  if (!status) return;
  channel_.drain();
  channel_.close();
  for (auto& [rank, child] : parts_.children.all())
    if (child.alive() && child.rank_channel) parts_.listener.ended(child, *status);
}

void SharedProcessLauncher::wait_for_gdb() {
  if (pid() == 0) return;
  channel_.dismiss();
  while (!wait_status_of(pid())) parts_.loop.turn();
}

}  // namespace earl::exec
