// SPDX-License-Identifier: BSD-3-Clause
#include "exec/launcher/agent/machines.hpp"

#include "backends/registry.hpp"
#include "generic/base/error.hpp"

namespace earl::exec {

namespace {

std::unique_ptr<PreparedJob> prepare(std::string const& name, JobFacts const& facts) {
  auto const* back_end = find_back_end(name);
  if (!back_end)
    throw Error("EXEC uses the back end '{}', which this host's Earl does not have", name);
  return back_end->prepare(facts);
}

}  // namespace

Machines::Machines(control::HostConfiguration const& words, HostLine const& line) {
  const JobFacts facts{.initial = words.initial,
                       .capacity = words.capacity,
                       .host = line.own_address(),
                       .secret = words.secret,
                       .encrypted = words.encrypted,
                       .remote_command = words.remote_command,
                       .wanted = line.descriptor()};
  here_ = prepare(words.back_end, facts);
  if (!words.link.empty()) away_ = prepare(words.link, facts);
}

std::vector<int> Machines::descriptors(Rank rank, std::uint32_t& here) {
  auto list = here_->descriptors(rank);
  here = static_cast<std::uint32_t>(list.size());
  if (away_)
    for (int const fd : away_->descriptors(rank)) list.push_back(fd);
  return list;
}

void Machines::registered(Rank rank, std::int32_t unix_pid) {
  here_->registered(rank, unix_pid);
  if (away_) away_->registered(rank, unix_pid);
}

void Machines::ended_here(Rank rank, bool killed) {
  if (killed)
    here_->killed(rank);
  else
    here_->ended(rank);
  if (away_) away_->ended(rank);
}

}  // namespace earl::exec
