// SPDX-License-Identifier: BSD-3-Clause
// Identities of processes, and starting and ending them.
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <optional>
#include <string>
#include <vector>

#include "frontends/pvm2/routines.hpp"
#include "generic/exec_client.hpp"

namespace earl::pvm2 {

namespace {

constexpr char const* usual_architecture = "LINUX64";

std::string variable_or(char const* name, char const* otherwise) {
  char const* value = std::getenv(name);
  return value && *value ? value : otherwise;
}

std::string own_architecture() { return variable_or("PVM_ARCH", usual_architecture); }

bool is_any(char const* name) { return !name || !*name; }

std::vector<HostFacts> hosts_of(State& state) {
  try {
    return state.me.exec().hosts().hosts;
  } catch (Error const& error) {
    if (error.fault() != Fault::no_job) throw;
    return {HostFacts{.name = "localhost"}};
  }
}

/// Its number. Null: there is no such host.
std::optional<std::uint32_t> host_called(State& state, std::string_view name) {
  if (name == "." || name == "localhost") return state.row() ? state.row()->visible_host : 0;
  auto const hosts = hosts_of(state);
  auto const found = std::ranges::find(hosts, name, &HostFacts::name);
  if (found == hosts.end()) return std::nullopt;
  return static_cast<std::uint32_t>(found - hosts.begin());
}

std::string component_of(std::string const& program) {
  return program.substr(program.rfind('/') + 1);
}

/// Where a process may run: host numbers; none: anywhere.
using Hosts = std::vector<std::uint32_t>;

SpawnAnswer spawn(State& state, char const* program, int instance, Hosts const& hosts) {
  return state.me.exec().spawn(
      {.program = program,
       .search = {fmt::format("{}/pvm/{}", variable_or("HOME", ""), own_architecture())},
       .flags = initiated,
       .label = static_cast<std::uint32_t>(instance),
       .hosts = hosts});
}

/// The number is taken before the process runs, so that it finds it in its row.
int start(State& state, char const* program, Hosts const& hosts) {
  if (is_any(program)) return PvmBadParam;
  auto const component = component_of(program);
  if (int const code = judge_name(component.c_str()); code < 0) return code;
  state.need_exec();
  int const instance = state.directory.reserve(component);
  auto const answer = spawn(state, program, instance, hosts);
  if (answer.fault == SpawnFault::none) {
    state.directory.assign(component, instance, answer.ranks.front());
    return instance;
  }
  state.directory.release(component, instance);
  // PVM 2 returns a code only; an existing program that cannot be started needs a reason.
  if (answer.fault != SpawnFault::not_found)
    state.me.print_line(fmt::format("libpvm: initiate(): {}", answer.why));
  return code_of(answer.fault);
}

}  // namespace

int enrol(State& state, char const* component) {
  if (int const code = judge_name(component); code < 0) return code;
  if (state.self) return PvmAlready;
  auto instance = state.has_left ? std::nullopt : state.directory.initial_instance(component);
  if (!instance) {
    state.need_exec();
    instance = state.directory.add(component, state.me.rank());
  }
  state.self = Place{.component = component, .instance = *instance};
  return *instance;
}

int leave_machine(State& state) {
  if (!state.self) return PvmOk;
  state.self.reset();
  state.has_left = true;
  if (state.row() && state.row()->role != Role::bare) state.me.exec().retire();
  return PvmOk;
}

int own_name(State& state, char* component, int* instance) {
  if (component) std::strcpy(component, state.self->component.c_str());
  if (instance) *instance = state.self->instance;
  return PvmOk;
}

int start_anywhere(State& state, char const* program, char const* architecture) {
  bool const fits = is_any(architecture) || architecture == own_architecture() ||
                    std::strcmp(architecture, usual_architecture) == 0;
  return fits ? start(state, program, {}) : PvmNoHost;
}

int start_on(State& state, char const* program, char const* host) {
  if (is_any(host)) return start(state, program, {});
  auto const number = host_called(state, host);
  return number ? start(state, program, {*number}) : PvmNoHost;
}

int end_process(State& state, char const* component, int instance) {
  if (int const code = judge_name(component); code < 0) return code;
  auto const target = state.directory.find(component, instance);
  if (!target) return PvmNoComp;
  state.need_exec();
  state.me.exec().signal({.target = *target, .signal = SIGTERM});
  return PvmOk;
}

int is_there(State& state, char const* component, int instance) {
  if (int const code = judge_name(component); code < 0) return code;
  auto const target = state.directory.find(component, instance);
  if (!target) return 0;
  if (*target == state.me.rank()) return instance == state.self->instance ? 1 : 0;
  return state.me.exec().processes().id_of(*target) ? 1 : 0;
}

int describe_machine(State& state, int* hosts, int* formats) {
  int const count = static_cast<int>(hosts_of(state).size());
  if (hosts) *hosts = count;
  if (formats) *formats = 1;
  return count;
}

}  // namespace earl::pvm2
