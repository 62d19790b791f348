// SPDX-License-Identifier: BSD-3-Clause
#include "exec/launcher/job/local_launcher.hpp"

#include <fmt/format.h>

#include "backends/registry.hpp"
#include "exec/launcher/children/addresses.hpp"
#include "exec/launcher/settings/environment.hpp"

namespace earl::exec {

namespace {

/// The process of all ranks is not bound.
CpuBinding binding_for(Plan const& plan) {
  if (find_back_end(plan.back_end)->shared_process) return {};
  return binding_of_host(plan.binding);
}

}  // namespace

LocalLauncher::LocalLauncher(LaunchContext const& context, int null)
    : context_(context), null_(null), binding_(binding_for(context.plan)) {}

int LocalLauncher::input_of(Child const& child) const {
  return child.rank == context_.plan.reader ? context_.input.fd() : null_;
}

/// Nodes have a group of their own, because kill(0, SIGKILL) is an NX idiom; the rank that reads
/// from the terminal must stay in the one that owns it.
pid_t LocalLauncher::group_of(Child const& child) const {
  bool const reads_terminal = context_.input.is_terminal() && child.rank == context_.plan.reader;
  return reads_terminal ? own_group : context_.group.id();
}

Launched LocalLauncher::launch(Child& child, LaunchSpec const& spec) {
  bool const direct = OutputRoutes::is_direct(child);
  auto out = direct ? Pipe{} : context_.routes.open(child, "out");
  auto error = direct ? Pipe{} : context_.routes.open(child, "err");
  auto const channel =
      context_.channels.open(child, context_.welcome(child.rank), context_.descriptors(child.rank));
  auto const group = group_of(child);
  auto environment = spec.environment;
  set(environment, fmt::format("{}={}", control::rank_variable, number(child.rank)));
  auto const bound = binding_.next();
  auto const launched =
      exec::launch({.path = spec.program.path,
                    .arguments = spec.arguments,
                    .environment = std::move(environment),
                    .folder = spec.folder,
                    .in = input_of(child),
                    .out = direct ? (*child.outlets)[0].get() : out.write.get(),
                    .error = direct ? (*child.outlets)[1].get() : error.write.get(),
                    .control = channel.get(),
                    .control_number = context_.control_number,
                    .group = group,
                    .processors = spec.processors ? spec.processors : bound,
                    .fixed_addresses = ask_fixed_addresses(context_.plan.tools)},
                   context_.inherited);
  if (launched.error != 0) return launched;
  child.in_own_group = group == own_group;
  if (group == new_group) context_.group.begun_by(launched.pid);
  context_.routes.forward(child, spec, launched.pid, std::move(out), std::move(error));
  return launched;
}

}  // namespace earl::exec
