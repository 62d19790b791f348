// SPDX-License-Identifier: BSD-3-Clause
#include "exec/launcher/services/meetings.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace earl::exec {

namespace {

std::vector<Rank> living(Roster const& roster) {
  std::vector<Rank> ranks;
  for (std::uint32_t n = 0; n < roster.count(); ++n)
    if (const Rank rank{static_cast<std::int32_t>(n)}; roster.lives(rank)) ranks.push_back(rank);
  return ranks;
}

}  // namespace

void Meetings::barrier(PendingReply const& reply, MeetRequest const& request) {
  if (request.count < 1) return context_.answer(reply, GroupAnswer{.fault = GroupFault::bad_count});
  auto const count = static_cast<std::uint32_t>(request.count);
  auto& meeting = barriers_[request.name];
  auto const came = meeting.arrive(reply, count);
  if (came == Meeting::Came::mismatch)
    return context_.answer(reply, GroupAnswer{.fault = GroupFault::mismatch});
  if (came == Meeting::Came::waits) return;
  std::int32_t arrival = 0;
  for (auto const& one : meeting.part())
    context_.answer(one, GroupAnswer{.instance = arrival++, .size = count});
  barriers_.erase(request.name);
}

void Meetings::post(PendingReply const& reply, std::string const& event) {
  auto& [posted, waiting] = events_[event];
  context_.answer(reply, EventAnswer{.posted = posted});
  posted = true;
  for (auto const& one : std::exchange(waiting, {})) context_.answer(one, EventAnswer{});
}

void Meetings::clear(PendingReply const& reply, std::string const& event) {
  auto const found = events_.find(event);
  bool const posted = found != events_.end() && found->second.posted;
  if (posted) events_.erase(found);
  context_.answer(reply, EventAnswer{.posted = posted});
}

void Meetings::wait(PendingReply const& reply, std::string const& event) {
  auto& [posted, waiting] = events_[event];
  if (posted)
    context_.answer(reply, EventAnswer{.posted = true});
  else
    waiting.push_back(reply);
}

std::optional<WaitReason> Meetings::wait_reason_of(Rank rank) const {
  for (auto const& [name, meeting] : barriers_)
    if (meeting.has(rank))
      return meeting.reason(fmt::format("the barrier \"{}\"", name), living(context_.roster()),
                            true);
  for (auto const& [name, event] : events_)
    if (std::ranges::find(event.waiting, rank, &PendingReply::to) != event.waiting.end())
      return WaitReason{.what = fmt::format("the event \"{}\"", name)};
  return std::nullopt;
}

void Meetings::died(Rank rank, int) {
  for (auto& [name, meeting] : barriers_) meeting.remove(rank);
  std::erase_if(barriers_, [](auto const& one) { return one.second.empty(); });
  for (auto& [name, event] : events_)
    std::erase_if(event.waiting, [rank](PendingReply const& reply) { return reply.to == rank; });
  std::erase_if(events_,
                [](auto const& one) { return !one.second.posted && one.second.waiting.empty(); });
}

}  // namespace earl::exec
