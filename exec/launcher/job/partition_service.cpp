// SPDX-License-Identifier: BSD-3-Clause
#include "exec/launcher/job/partition_service.hpp"

#include <algorithm>
#include <csignal>
#include <utility>

namespace earl::exec {

namespace {

bool to_be_killed(Child const& child) { return (child.asked_signals >> SIGKILL & 1) != 0; }

}  // namespace

bool PartitionService::taken(Places const& where) const {
  auto const rank = parts_.roster.find(where);
  if (!rank || ended_or_killed(*rank)) return false;
  return is_held(*rank) || parts_.roster.state(*rank) != RankState::reserved;
}

/// It has ended, or has been asked to: the next process of its place and label is another rank.
/// Follows from the deaths that have been announced, so that a replay gets the same answers.
bool PartitionService::ended_or_killed(Rank rank) const {
  auto const& child = parts_.children.at(rank);
  return child.death == Announcement::made || to_be_killed(child);
}

bool PartitionService::is_held(Rank rank) const {
  return std::ranges::any_of(held_, [&](Held const& held) { return held.rank == rank; });
}

CountAnswer PartitionService::release(std::uint32_t partition) {
  if (parts_.partitions.places({.partition = partition}).empty()) return {};
  auto const ended = end_processes({.partition = partition});
  parts_.partitions.release(partition);
  // The name is free again before any process is notified of the release.
  if (parts_.partitions.empty()) parts_.guests.close_server();
  return ended;
}

ReserveAnswer PartitionService::reserve(Places const& where) {
  ReserveAnswer answer;
  // The host's place, when no process has come to be the host.
  auto places = parts_.partitions.places(where);
  auto const nodes = parts_.roster.places_of(where.partition);
  bool const host =
      where.place != any_place && static_cast<std::uint32_t>(where.place) == nodes && nodes != 0;
  if (host) places = {where.place};
  for (auto const place : places) {
    const Places one{.partition = where.partition, .place = place, .label = where.label};
    auto rank = parts_.roster.find(one);
    // A rank whose process has ended is none to come: a process that learns of it would send to an
    // ended one.
    if (rank && ended_or_killed(*rank)) rank.reset();
    if (!rank && parts_.roster.full()) return {};
    if (!rank) rank = row_for(one, {}).rank;
    answer.ranks.push_back(*rank);
  }
  if (host && parts_.roster.host_of(where.partition) == no_rank)
    parts_.roster.set_host(where.partition, answer.ranks.front());
  return answer;
}

Child& PartitionService::row_for(Places const& where, NewRow row) {
  row.partition = where.partition;
  row.place = static_cast<std::uint32_t>(where.place);
  row.label = static_cast<std::uint32_t>(where.label);
  auto const reserved = parts_.roster.find(where);
  if (!reserved || parts_.roster.state(*reserved) != RankState::reserved || is_held(*reserved))
    return parts_.rows.allocate(row);
  parts_.roster.fill(*reserved, row);
  return parts_.children.at(*reserved);
}

/// When a kept cube's host has ended, messages of nodes that are loaded then to their host are for
/// the next host.
void PartitionService::expect_host(std::uint32_t partition) {
  auto const host = parts_.roster.host_of(partition);
  bool const kept = parts_.guests.serving() != Serving::job;
  if (!kept || host == no_rank || parts_.roster.state(host) != RankState::ended ||
      parts_.roster.full())
    return;
  auto const place = static_cast<std::int32_t>(parts_.roster.places_of(partition));
  parts_.roster.set_host(partition,
                         row_for({.partition = partition, .place = place, .label = 0}, {}).rank);
}

LoadAnswer PartitionService::load(Child& parent, LoadRequest const& request) {
  auto const places = parts_.partitions.places(request.where);
  auto const& [partition, ignored, label] = request.where;
  if (places.empty() || label < 0) return {.fault = LoadFault::unknown};
  LoadAnswer answer;
  for (auto const place : places)
    if (taken({.partition = partition, .place = place, .label = label}))
      return {.fault = LoadFault::in_use};
  try {
    auto const spec = parts_.processes.spec_for(parent, request.what);
    // All have their rows before the first is started: it shall find the others, not those that
    // were there before them, and in a replay as in the run.
    auto const ranks = reserve(request.where).ranks;
    if (ranks.empty()) parts_.processes.check_room();
    expect_host(partition);
    for (auto const rank : ranks) fill_reserved(rank, spec);
    for (auto const rank : ranks) start_loaded(answer, spec, rank, request.held);
  } catch (Refusal const& refusal) {
    answer.fault = LoadFault::not_started;
    answer.started.fault = refusal.spawn_fault();
    answer.started.why = refusal.what();
  }
  return answer;
}

void PartitionService::fill_reserved(Rank rank, LaunchSpec const& spec) {
  auto row = parts_.starter.row_for(spec, static_cast<std::uint32_t>(index(rank)));
  auto const& reserved = parts_.roster.at(rank);
  row.partition = reserved.partition;
  row.place = reserved.place;
  row.label = reserved.label;
  parts_.roster.fill(rank, row);
  parts_.starter.equip(parts_.children.at(rank), spec);
}

/// Throws Refusal.
void PartitionService::start_loaded(LoadAnswer& answer, LaunchSpec const& spec, Rank rank,
                                    bool hold) {
  if (hold)
    held_.push_back({.rank = rank, .spec = spec});
  else
    parts_.starter.start(parts_.children.at(rank), spec);
  parts_.waits.expect(rank);
  answer.started.ranks.push_back(rank);
}

CountAnswer PartitionService::unhold(Places const& where) {
  CountAnswer answer;
  for (auto& held : std::exchange(held_, {})) {
    if (!meant(held.rank, where)) {
      held_.push_back(std::move(held));
      continue;
    }
    try {
      parts_.starter.start(parts_.children.at(held.rank), held.spec);
      ++answer.count;
    } catch (Refusal const& refusal) {
      parts_.output.report(refusal.what());
    }
  }
  return answer;
}

bool PartitionService::meant(Rank rank, Places const& where) const {
  auto const& row = parts_.roster.at(rank);
  return where.partition != 0 && row.partition == where.partition &&
         static_cast<std::uint32_t>(row.place) < parts_.roster.places_of(where.partition) &&
         where.covers(static_cast<std::int32_t>(row.place), static_cast<std::int32_t>(row.label));
}

/// Ranks that are held are never started; the caller, if it is meant, gets no answer.
CountAnswer PartitionService::end_processes(Places const& where) {
  CountAnswer answer;
  std::erase_if(held_, [&](Held const& held) {
    if (!meant(held.rank, where)) return false;
    parts_.starter.cancel(parts_.children.at(held.rank));
    return true;
  });
  for (auto const& [rank, child] : parts_.children.all()) {
    if (!meant(child.rank, where) || child.death == Announcement::made) continue;
    if (parts_.roster.state(child.rank) == RankState::reserved) continue;
    parts_.processes.signal({.target = child.rank, .signal = SIGKILL});
    ++answer.count;
  }
  return answer;
}

}  // namespace earl::exec
