// SPDX-License-Identifier: BSD-3-Clause
#include "exec/launcher/hosts/link_choice.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "backends/registry.hpp"

namespace earl::exec {

namespace {

using Grade = Connectivity::Grade;
using Machine = control::ConnectivityReport::Machine;

Connectivity reach_in(control::ConnectivityReport const& words, std::string_view machine) {
  auto const at = std::ranges::find(words.machines, machine, &Machine::name);
  return at == words.machines.end() ? Connectivity{} : at->reach;
}

/// The requests of another host's settings do not count here.
Grade grade_on(HostReach const& host, std::string_view machine) {
  return std::min(reach_in(host.words, machine).grade, Grade::fast);
}

/// The value of the host that has least of it.
Grade grade_on_all(std::vector<HostReach> const& hosts, std::string_view machine) {
  auto least = Grade::fast;
  for (auto const& host : hosts) least = std::min(least, grade_on(host, machine));
  return least;
}

/// Why a machine is not as good as it is on one of the hosts; empty: it is.
std::string what_lacks(std::vector<HostReach> const& hosts, std::string_view machine) {
  HostReach const* best = nullptr;
  HostReach const* worst = nullptr;
  for (auto const& host : hosts) (grade_on(host, machine) == Grade::fast ? best : worst) = &host;
  if (!best || !worst) return {};
  return fmt::format("host {} has {} for {}, host {} nothing like it", best->host,
                     reach_in(best->words, machine).why, machine, worst->host);
}

std::string reason_for(Machine const& chosen, Grade grade, std::vector<HostReach> const& hosts,
                       control::ConnectivityReport const& here) {
  if (grade == Grade::fast)
    return fmt::format("all hosts have what it takes: {} on host {}",
                       reach_in(hosts.front().words, chosen.name).why, hosts.front().host);
  for (auto const& other : here.machines)
    if (auto why = what_lacks(hosts, other.name); !why.empty()) return why;
  return "no host has a faster network";
}

}  // namespace

control::ConnectivityReport reach_here(bool encrypting) {
  control::ConnectivityReport words;
  for (auto const* row : back_ends()) {
    if (encrypting && !row->encrypts) continue;
    auto reach = row->reach ? row->reach() : Connectivity{};
    if (reach.grade != Grade::none)
      words.machines.push_back({.name = std::string(row->name), .reach = std::move(reach)});
  }
  return words;
}

LinkChoice requested_link(control::ConnectivityReport const& here) {
  for (auto const& machine : here.machines)
    if (machine.reach.grade == Grade::requested) return {machine.name, machine.reach.why};
  return {};
}

void check_secure(Plan const& plan) {
  // On one host nothing leaves it.
  if (!plan.secure || (plan.hosts.empty() && !plan.user_launcher)) return;
  auto const* link = find_back_end(plan.back_end);
  if (!link->spans_hosts && !joins_hosts(*link)) {
    auto const asked = requested_link(reach_here());
    if (asked.machine.empty()) return;
    link = find_back_end(asked.machine);
  }
  if (!link->encrypts)
    throw UsageError(
        "--secure: what {} sends between hosts cannot be encrypted; TCP can, which is taken where "
        "nothing else is asked for",
        link->name);
}

LinkChoice best_link(control::ConnectivityReport const& here, std::vector<HostReach> const& hosts) {
  Machine const* best = nullptr;
  auto best_grade = Grade::on_request;
  for (auto const& machine : here.machines) {
    auto const grade = grade_on_all(hosts, machine.name);
    if (grade <= best_grade) continue;
    best = &machine;
    best_grade = grade;
  }
  if (!best) return {};
  return {best->name, reason_for(*best, best_grade, hosts, here)};
}

}  // namespace earl::exec
