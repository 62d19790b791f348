// SPDX-License-Identifier: BSD-3-Clause
#include "exec/launcher/job/plan_interceptors.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "debug/outside/outside.hpp"
#include "debug/registry.hpp"
#include "exec/launcher/children/addresses.hpp"
#include "exec/launcher/settings/environment.hpp"
#include "generic/seams/standstill_judge.hpp"

namespace earl::exec {

namespace {

JobInfo info_of(Plan const& plan, std::vector<Program> const& programs) {
  JobInfo info{.command = {}, .back_end = plan.back_end, .initial = processes_in(plan)};
  info.command = command_of(plan);
  for (auto const& host : plan.hosts)
    info.hosts.push_back(fmt::format("{}:{}", host.name, host.slots));
  info.fixed_addresses = ask_fixed_addresses(plan.tools) && can_fix_addresses();
  for (auto const& program : programs)
    info.programs.push_back(std::filesystem::absolute(program.path).string());
  info.environment = program_environment();
  info.settings = plan.kept_settings;
  // A tool of the user's own watches one run; wrappers are part of the program.
  for (auto const& use : plan.tools)
    if (!is_outside_tool(use.name))
      info.tools.push_back(use.argument.empty() ? use.name : use.name + "=" + use.argument);
  info.tools.insert(info.tools.end(), plan.wrappers.begin(), plan.wrappers.end());
  return info;
}

/// A debugger that judges a standstill by itself, as a replay does, needs no second opinion; the
/// user's own --tool deadlock is one, too.
bool judges_alone(JobInterceptors const& interceptors) {
  return std::ranges::any_of(interceptors.all_implementing<StandstillJudge>(),
                             [](auto const* judge) { return judge->judges_alone(); });
}

/// A debugger's half in EXEC, null if it has none. An argument that it does not take is a mistake
/// on the command line.
std::unique_ptr<JobInterceptor> half_of(Tool const& tool, std::string const& argument,
                                        JobInfo const& info) {
  try {
    return tool.in_exec ? tool.in_exec(argument, info) : nullptr;
  } catch (Error const& error) {
    if (error.fault() == Fault::bad_request) throw UsageError("{}", error.what());
    throw;
  }
}

}  // namespace

void add_interceptors(JobInterceptors& interceptors, Plan const& plan,
                      std::vector<Program> const& programs) {
  auto const info = info_of(plan, programs);
  for (auto const& use : plan.tools) {
    auto const* tool = find_tool(use.name);
    if (!tool) throw UsageError("--tool {}: there is no such debugger", use.name);
    if (auto half = half_of(*tool, use.argument, info)) interceptors.add(std::move(half));
  }
  if (judges_alone(interceptors) || plan.on_deadlock == OnDeadlock::off) return;
  auto const* how = plan.on_deadlock == OnDeadlock::end ? "watch" : "say";
  interceptors.add(find_tool("deadlock")->in_exec(how, info));
}

}  // namespace earl::exec
