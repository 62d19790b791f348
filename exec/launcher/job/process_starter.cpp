// SPDX-License-Identifier: BSD-3-Clause
#include "exec/launcher/job/process_starter.hpp"

#include <fmt/format.h>

#include <cerrno>

#include "exec/launcher/children/child_end.hpp"

namespace earl::exec {

namespace {

[[noreturn]] void refuse_start(std::string const& path, int error) {
  if (error == EAGAIN || error == ENOMEM)
    throw Refusal(1, SpawnFault::no_room,
                  fmt::format("this host has no room for one more process (ulimit -u): {}",
                              system_message(error)));
  bool const missing = error == ENOENT;
  throw Refusal(missing ? exit_not_found : exit_not_executable,
                missing ? SpawnFault::not_found : SpawnFault::denied,
                fmt::format("{} cannot be started: {}", path, system_message(error)));
}

}  // namespace

NewRow ProcessStarter::row_for(LaunchSpec const& spec, Place const& place) const {
  return {.program = spec.name,
          .front_end = spec.program.front_end,
          .parent = spec.parent,
          .batch = spec.batch,
          .batch_size = spec.size,
          .flags = spec.flags,
          .label = spec.label,
          .host = place.host,
          .visible_host = place.visible};
}

void ProcessStarter::equip(Child& child, LaunchSpec const& spec) const {
  child.program = spec.name;
  child.path = spec.program.path;
  child.front_end = spec.program.front_end;
  child.folder = spec.folder;
  child.catcher = spec.catcher;
  child.subscribed = spec.subscription.has_value();
  if (spec.parent == no_rank) return;
  auto const& parent = parts_.children.at(spec.parent);
  // Output of a session's tasks is in its log, unless a console wants it.
  if (parts_.guests.serving() != Serving::session || parent.is_console())
    child.outlets = parent.outlets;
}

void ProcessStarter::cancel(Child& child) {
  context_.channels.close(child);
  if (context_.back_end->reuses()) context_.back_end->ended(child.rank);
  parts_.roster.set_state(child.rank, RankState::ended);
  child.phase = Phase::ended;
  child.death = Announcement::made;
  parts_.rows.add(child);
}

void ProcessStarter::registered(Child& child) {
  parts_.roster.learn_front_end(child.rank, child.front_end);
  parts_.roster.set_pid(child.rank, child.registered_pid);
  parts_.roster.set_state(child.rank, RankState::registered);
  context_.back_end->registered(child.rank, child.registered_pid);
}

Launched ProcessStarter::launch(Child& child, LaunchSpec const& spec) {
  if (parts_.remote.used()) return parts_.remote.launch(child, spec);
  return parts_.shared ? parts_.shared->launch(child, spec) : parts_.local.launch(child, spec);
}

void ProcessStarter::start(Child& child, LaunchSpec const& spec) {
  parts_.roster.set_state(child.rank, RankState::started);
  Launched launched;
  try {
    launched = launch(child, spec);
  } catch (Error const& error) {
    cancel(child);
    throw Refusal(1, SpawnFault::no_room, error.what());
  }
  if (launched.error != 0) {
    cancel(child);
    refuse_start(spec.program.path, launched.error);
  }
  child.pid = launched.pid;
  parts_.children.set_running(child);
  if (child.is_remote()) {
    // It will say hello.
  } else if (child.rank_channel) {
    child.registered_pid = child.pid;
    registered(child);
  } else {
    child.writer = child.pid;
    parts_.children.add_pid(child);
    parts_.roster.set_pid(child.rank, child.pid);
  }
  if (!context_.plan.verbose) return;
  parts_.output.report(
      fmt::format("{} is {}{}", describe(child), child.path,
                  child.is_remote() ? std::string{} : fmt::format(", pid {}", child.pid)));
}

}  // namespace earl::exec
