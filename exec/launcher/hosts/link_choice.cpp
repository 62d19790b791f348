// SPDX-License-Identifier: BSD-3-Clause
#include "exec/launcher/hosts/link_choice.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "backends/registry.hpp"

namespace earl::exec {

namespace {

using Grade = Connectivity::Grade;
using BackEnd = control::ConnectivityReport::BackEnd;

Connectivity reach_in(control::ConnectivityReport const& report, std::string_view back_end) {
  auto const at = std::ranges::find(report.back_ends, back_end, &BackEnd::name);
  return at == report.back_ends.end() ? Connectivity{} : at->connectivity;
}

/// The requests of another host's settings do not count here.
Grade grade_on(HostConnectivity const& host, std::string_view back_end) {
  return std::min(reach_in(host.report, back_end).grade, Grade::fast);
}

/// The value of the host that has least of it.
Grade grade_on_all(std::vector<HostConnectivity> const& hosts, std::string_view back_end) {
  auto least = Grade::fast;
  for (auto const& host : hosts) least = std::min(least, grade_on(host, back_end));
  return least;
}

/// Why a back end is not as good as it is on one of the hosts; empty: it is.
std::string what_lacks(std::vector<HostConnectivity> const& hosts, std::string_view back_end) {
  HostConnectivity const* best = nullptr;
  HostConnectivity const* worst = nullptr;
  for (auto const& host : hosts) (grade_on(host, back_end) == Grade::fast ? best : worst) = &host;
  if (!best || !worst) return {};
  return fmt::format("host {} has {} for {}, host {} nothing like it", best->host,
                     reach_in(best->report, back_end).why, back_end, worst->host);
}

std::string reason_for(BackEnd const& chosen, Grade grade,
                       std::vector<HostConnectivity> const& hosts,
                       control::ConnectivityReport const& here) {
  if (grade == Grade::fast)
    return fmt::format("all hosts have what it takes: {} on host {}",
                       reach_in(hosts.front().report, chosen.name).why, hosts.front().host);
  for (auto const& other : here.back_ends)
    if (auto why = what_lacks(hosts, other.name); !why.empty()) return why;
  return "no host has a faster network";
}

}  // namespace

control::ConnectivityReport connectivity_here(bool encrypting) {
  control::ConnectivityReport report;
  for (auto const* row : back_ends()) {
    if (encrypting && !row->encrypts) continue;
    auto connectivity = row->connectivity ? row->connectivity() : Connectivity{};
    if (connectivity.grade != Grade::none)
      report.back_ends.push_back(
          {.name = std::string(row->name), .connectivity = std::move(connectivity)});
  }
  return report;
}

LinkChoice requested_link(control::ConnectivityReport const& here) {
  for (auto const& back_end : here.back_ends)
    if (back_end.connectivity.grade == Grade::requested)
      return {back_end.name, back_end.connectivity.why};
  return {};
}

void check_secure(Plan const& plan) {
  // On one host nothing leaves it.
  if (!plan.secure || (plan.hosts.empty() && !plan.user_launcher)) return;
  auto const* link = find_back_end(plan.back_end);
  if (!link->spans_hosts && !joins_hosts(*link)) {
    auto const asked = requested_link(connectivity_here());
    if (asked.back_end.empty()) return;
    link = find_back_end(asked.back_end);
  }
  if (!link->encrypts)
    throw UsageError(
        "--secure: what {} sends between hosts cannot be encrypted; TCP can, which is taken where "
        "nothing else is asked for",
        link->name);
}

LinkChoice best_link(control::ConnectivityReport const& here,
                     std::vector<HostConnectivity> const& hosts) {
  BackEnd const* best = nullptr;
  auto best_grade = Grade::on_request;
  for (auto const& back_end : here.back_ends) {
    auto const grade = grade_on_all(hosts, back_end.name);
    if (grade <= best_grade) continue;
    best = &back_end;
    best_grade = grade;
  }
  if (!best) return {};
  return {best->name, reason_for(*best, best_grade, hosts, here)};
}

}  // namespace earl::exec
