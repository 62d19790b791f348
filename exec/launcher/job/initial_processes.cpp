// SPDX-License-Identifier: BSD-3-Clause
#include "exec/launcher/job/initial_processes.hpp"

#include "exec/launcher/resources/processors.hpp"
#include "exec/launcher/settings/environment.hpp"

namespace earl::exec {

namespace {

constexpr std::uint32_t initial_partition = 1;

bool may_host(Plan const& plan, std::vector<Program> const& programs, std::size_t app) {
  if (programs[app].side != Side::either || plan.apps.size() != 1)
    return programs[app].side == Side::host && plan.apps[app].count == 1;
  return !plan.apps[app].counted;
}

}  // namespace

std::optional<std::size_t> host_app(Plan const& plan, std::vector<Program> const& programs) {
  for (std::size_t app = 0; app < plan.apps.size(); ++app)
    if (may_host(plan, programs, app)) return app;
  return std::nullopt;
}

LaunchSpec InitialProcesses::spec_of(std::size_t at) const {
  auto const& plan = parts_.plan;
  auto const& app = plan.apps[at];
  auto const& program = parts_.programs[at];
  LaunchSpec spec{
      .name = base_name(app.command.front()),
      .program = program,
      .arguments = app.command,
      .environment = parts_.environment.of_process(environment_of(app, plan), program.path),
      .folder = app.folder,
      .size = processes_in(plan)};
  // Its name as typed would mean another file there.
  if (!app.folder.empty() && spec.arguments.front().find('/') != std::string::npos)
    spec.arguments.front() = spec.program.path;
  if (!app.processors.empty()) spec.processors = parse_processors(app.processors);
  spec.processor_list = app.processors;
  return spec;
}

/// The row of the app's next process. Where one app is the host of the others, these are loaded
/// into a partition of its own.
NewRow InitialProcesses::row_of(std::size_t app, LaunchSpec const& spec) const {
  auto row = parts_.starter.row_for(spec, parts_.roster.count());
  if (app == host_) row.role = Role::alone;
  if (app == host_ || !host_) return row;
  row.partition = initial_partition;
  row.place = parts_.roster.count() - (*host_ < app ? 1 : 0);
  return row;
}

void InitialProcesses::start() {
  auto const& apps = parts_.plan.apps;
  std::vector<LaunchSpec> specs;
  for (std::size_t i = 0; i < apps.size(); ++i) specs.push_back(spec_of(i));
  for (std::size_t i = 0; i < apps.size(); ++i)
    for (std::uint32_t n = 0; n < apps[i].count; ++n)
      parts_.starter.equip(parts_.rows.allocate(row_of(i, specs[i])), specs[i]);
  if (host_ && apps.size() > 1) assign_nodes_to_host();
  // All rows are there before the first process runs and asks how many there are.
  if (!specs.empty()) parts_.roster.set_initial(processes_in(parts_.plan));
  if (specs.size() == 1) parts_.roster.set_uniform();
  auto next = parts_.children.all().begin();
  for (std::size_t i = 0; i < apps.size(); ++i)
    for (std::uint32_t n = 0; n < apps[i].count; ++n)
      parts_.starter.start((next++)->second, specs[i]);
}

/// The thesis's implicit startup: the host finds its nodes loaded.
void InitialProcesses::assign_nodes_to_host() {
  for (auto const& [rank, child] : parts_.children.all())
    if (parts_.roster.at(child.rank).partition == initial_partition)
      parts_.waits.expect(child.rank);
    else
      parts_.partitions.allocate(child.rank, {.places = processes_in(parts_.plan) - 1});
}

}  // namespace earl::exec
