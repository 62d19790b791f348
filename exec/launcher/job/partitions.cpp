// SPDX-License-Identifier: BSD-3-Clause
/// Loading processes into partitions, and ending them there.
#include <fmt/format.h>

#include <algorithm>
#include <csignal>

#include "exec/launcher/job/job.hpp"

namespace earl::exec {

namespace {

bool to_be_killed(Child const& child) { return (child.asked_signals >> SIGKILL & 1) != 0; }

}  // namespace

/// A process is there already, which has not been asked to end.
bool Job::taken(Places const& where) const {
  auto const rank = roster_->find(where);
  if (!rank || vacated(*rank)) return false;
  return held(*rank) || roster_->life(*rank) != Life::reserved;
}

/// It has ended, or has been asked to: the next process of its place and label is another rank.
/// Follows from announced ends, so that a replay is answered the same.
bool Job::vacated(Rank rank) const {
  auto const& child = child_at(rank);
  return child.death_told || to_be_killed(child);
}

bool Job::held(Rank rank) const {
  return std::ranges::any_of(held_, [&](Held const& held) { return held.rank == rank; });
}

CountAnswer Job::release(std::uint32_t partition) {
  if (partitions_->places({.partition = partition}).empty()) return {};
  auto const ended = end_processes({.partition = partition});
  partitions_->release(partition);
  if (session_server_ && listener_ && partitions_->empty()) {
    // The name is free again before any process is notified.
    loop_.forget(listener_.get());
    listener_.close();
  }
  return ended;
}

ReserveAnswer Job::reserve_places(Places const& where) {
  ReserveAnswer answer;
  // The host's place, when no process has come to be the host.
  auto places = partitions_->places(where);
  auto const nodes = roster_->places_of(where.partition);
  bool const host =
      where.place != any_place && static_cast<std::uint32_t>(where.place) == nodes && nodes != 0;
  if (host) places = {where.place};
  for (auto const place : places) {
    const Places one{.partition = where.partition, .place = place, .label = where.label};
    auto rank = roster_->find(one);
    // A rank whose process has ended is none to come: a process that is notified of it would send
    // to an ended one.
    if (rank && vacated(*rank)) rank.reset();
    if (!rank && roster_->full()) return {};
    if (!rank) rank = seat(one, {}).rank;
    answer.ranks.push_back(*rank);
  }
  if (host && roster_->host_of(where.partition) == no_rank)
    roster_->set_host(where.partition, answer.ranks.front());
  return answer;
}

/// The process of that place and label: reserved before, or new.
Child& Job::seat(Places const& where, NewRow row) {
  row.partition = where.partition;
  row.place = static_cast<std::uint32_t>(where.place);
  row.label = static_cast<std::uint32_t>(where.label);
  auto const reserved = roster_->find(where);
  if (!reserved || roster_->life(*reserved) != Life::reserved || held(*reserved))
    return add_child(row);
  roster_->fill(*reserved, row);
  return child_at(*reserved);
}

/// When a kept cube's host has ended, later nodes' messages to their host are for the next.
void Job::expect_host(std::uint32_t partition) {
  auto const host = roster_->host_of(partition);
  if (!session_server_ || host == no_rank || roster_->life(host) != Life::ended || roster_->full())
    return;
  auto const place = static_cast<std::int32_t>(roster_->places_of(partition));
  roster_->set_host(partition, seat({.partition = partition, .place = place, .label = 0}, {}).rank);
}

LoadAnswer Job::load(Child& parent, LoadRequest const& request) {
  auto const places = partitions_->places(request.where);
  auto const& [partition, ignored, label] = request.where;
  if (places.empty() || label < 0) return {.fault = LoadFault::unknown};
  LoadAnswer answer;
  for (auto const place : places)
    if (taken({.partition = partition, .place = place, .label = label}))
      return {.fault = LoadFault::in_use};
  try {
    auto const batch = batch_for(parent, request.what);
    // All have their rows before the first is started: it shall find the others, not those that
    // were there before them, and in a replay as in the run.
    auto const ranks = reserve_places(request.where).ranks;
    if (ranks.empty()) check_room();
    expect_host(partition);
    for (auto const rank : ranks) seat_reserved(rank, batch);
    for (auto const rank : ranks) start_seated(answer, batch, rank, request.held);
  } catch (Refusal const& refusal) {
    answer.fault = LoadFault::not_started;
    answer.started.fault = refusal.spawn_fault();
    answer.started.why = refusal.what();
  }
  return answer;
}

void Job::seat_reserved(Rank rank, Batch const& batch) {
  auto row = row_for(batch, placement_.of(static_cast<std::uint32_t>(index(rank))));
  auto const& reserved = roster_->at(rank);
  row.partition = reserved.partition;
  row.place = reserved.place;
  row.label = reserved.label;
  roster_->fill(rank, row);
  equip(child_at(rank), batch);
}

/// Throws Refusal.
void Job::start_seated(LoadAnswer& answer, Batch const& batch, Rank rank, bool hold) {
  if (hold)
    held_.push_back({.rank = rank, .batch = batch});
  else
    start(child_at(rank), batch);
  waits_.expect(rank);
  answer.started.ranks.push_back(rank);
}

CountAnswer Job::unhold(Places const& where) {
  CountAnswer answer;
  for (auto& held : std::exchange(held_, {})) {
    if (!meant(held.rank, where)) {
      held_.push_back(std::move(held));
      continue;
    }
    try {
      start(child_at(held.rank), held.batch);
      ++answer.count;
    } catch (Refusal const& refusal) {
      say(refusal.what());
    }
  }
  return answer;
}

bool Job::meant(Rank rank, Places const& where) const {
  auto const& row = roster_->at(rank);
  return where.partition != 0 && row.partition == where.partition &&
         static_cast<std::uint32_t>(row.place) < roster_->places_of(where.partition) &&
         where.covers(static_cast<std::int32_t>(row.place), static_cast<std::int32_t>(row.label));
}

/// Processes that are held are never started; the caller, if it is meant, gets no answer.
CountAnswer Job::end_processes(Places const& where) {
  CountAnswer answer;
  std::erase_if(held_, [&](Held const& held) {
    if (!meant(held.rank, where)) return false;
    never_started(child_at(held.rank));
    return true;
  });
  for (auto const& [rank, child] : children_) {
    if (!meant(child->rank, where) || child->death_told) continue;
    if (roster_->life(child->rank) == Life::reserved) continue;
    signal({.target = child->rank, .signal = SIGKILL});
    ++answer.count;
  }
  return answer;
}

}  // namespace earl::exec
