// SPDX-License-Identifier: BSD-3-Clause
#include "exec/launcher/agent/back_ends.hpp"

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

AgentBackEnds::AgentBackEnds(control::HostConfiguration const& configuration,
                             HostLine const& line) {
  const JobFacts facts{.initial = configuration.initial,
                       .capacity = configuration.capacity,
                       .host = line.own_address(),
                       .secret = configuration.secret,
                       .encrypted = configuration.encrypted,
                       .remote_command = configuration.remote_command,
                       .wanted = line.descriptor()};
  here_ = prepare(configuration.back_end, facts);
  if (!configuration.link.empty()) away_ = prepare(configuration.link, facts);
}

std::vector<int> AgentBackEnds::descriptors(Rank rank, std::uint32_t& here) {
  auto list = here_->descriptors(rank);
  here = static_cast<std::uint32_t>(list.size());
  if (away_)
    for (int const fd : away_->descriptors(rank)) list.push_back(fd);
  return list;
}

void AgentBackEnds::registered(Rank rank, std::int32_t unix_pid) {
  here_->registered(rank, unix_pid);
  if (away_) away_->registered(rank, unix_pid);
}

void AgentBackEnds::ended_here(Rank rank, bool killed) {
  if (killed)
    here_->killed(rank);
  else
    here_->ended(rank);
  if (away_) away_->ended(rank);
}

void AgentBackEnds::named(Rank rank) {
  here_->named(rank);
  if (away_) away_->named(rank);
}

bool AgentBackEnds::release(Rank rank) {
  return (!away_ || away_->release(rank)) && here_->release(rank);
}

void AgentBackEnds::wake_peers_for_release(Rank rank) {
  here_->wake_peers_for_release(rank);
  if (away_) away_->wake_peers_for_release(rank);
}

}  // namespace earl::exec
