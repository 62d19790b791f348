// SPDX-License-Identifier: BSD-3-Clause
#include "generic/peers.hpp"

#include <algorithm>

#include "generic/base/error.hpp"

namespace earl {

Channel& Peers::open(Rank rank) {
  Channel& channel = channels_.add(rank);
  channel.sent = channel.arrived = first_sequence_;
  if (auto const before = sent_before_.find(number(rank)); before != sent_before_.end())
    channel.sent = before->second;
  return channel;
}

void Peers::close(Channel& channel) {
  past_traffic_ += channel.put + channel.got;
  if (endpoint_.debugger && channel.sent != 0) sent_before_[number(channel.peer)] = channel.sent;
  channels_.remove(channel);
}

Channel& Peers::first_contact(Rank dest) {
  IdTable const& table = endpoint_.table;
  if (!table.given(dest))
    throw Error(Fault::bad_rank, "there is no process {} in this job (0..{})", number(dest),
                table.count() - 1);
  if (!endpoint_.limits.spawns && number(dest) >= 0 && index(dest) >= table.initial())
    throw Error(Fault::full,
                "process {} cannot be reached: this back end takes no process after its start; "
                "begin with all of them (earl run -n), or use another back end (--on shm)",
                number(dest));
  return open(dest);
}

Channel& Peers::first_packet_from(Rank source) {
  if (!endpoint_.table.given(source) && !endpoint_.table.await(source) &&
      !endpoint_.table.given(source))
    throw Error(Fault::bad_rank, "a packet claims to come from process {}, which is not in the job",
                number(source));
  return open(source);
}

/// Messages that a process that has ended sent, or would have received, are no longer under way.
void Peers::count_traffic(Report& report) const {
  report.traffic = past_traffic_;
  for (auto const& channel : channels_) {
    report.traffic += channel->put + channel->got;
    if (endpoint_.port->ended(channel->peer)) continue;
    report.sent += channel->put;
    report.arrived += channel->got;
  }
}

bool Peers::has_undrained_dead_peer() const {
  return std::ranges::any_of(channels_, [this](auto const& channel) {
    return channel->put + channel->got != 0 && endpoint_.port->ended(channel->peer);
  });
}

}  // namespace earl
