#include "exec/services/meetings.hpp"

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

void Meetings::barrier(Owed const& owed, MeetRequest const& request) {
  if (request.count < 1) return desk_.answer(owed, GroupAnswer{.fault = GroupFault::bad_count});
  auto const count = static_cast<std::uint32_t>(request.count);
  auto& meeting = barriers_[request.name];
  auto const came = meeting.arrive(owed, count);
  if (came == Meeting::Came::mismatch)
    return desk_.answer(owed, GroupAnswer{.fault = GroupFault::mismatch});
  if (came == Meeting::Came::waits) return;
  std::int32_t arrival = 0;
  for (auto const& one : meeting.part())
    desk_.answer(one, GroupAnswer{.instance = arrival++, .size = count});
  barriers_.erase(request.name);
}

void Meetings::post(Owed const& owed, std::string const& event) {
  auto& [posted, waiting] = events_[event];
  desk_.answer(owed, EventAnswer{.posted = posted});
  posted = true;
  for (auto const& one : std::exchange(waiting, {})) desk_.answer(one, EventAnswer{});
}

void Meetings::clear(Owed const& owed, std::string const& event) {
  auto const found = events_.find(event);
  bool const posted = found != events_.end() && found->second.posted;
  if (posted) events_.erase(found);
  desk_.answer(owed, EventAnswer{.posted = posted});
}

void Meetings::wait(Owed const& owed, std::string const& event) {
  auto& [posted, waiting] = events_[event];
  if (posted)
    desk_.answer(owed, EventAnswer{.posted = true});
  else
    waiting.push_back(owed);
}

std::optional<Lack> Meetings::lack_of(Rank rank) const {
  for (auto const& [name, meeting] : barriers_)
    if (meeting.has(rank))
      return meeting.lack(fmt::format("the barrier \"{}\"", name), living(desk_.roster()), true);
  for (auto const& [name, event] : events_)
    if (std::ranges::find(event.waiting, rank, &Owed::to) != event.waiting.end())
      return Lack{.what = fmt::format("the event \"{}\"", name)};
  return std::nullopt;
}

void Meetings::died(Rank rank, int) {
  for (auto& [name, meeting] : barriers_) meeting.forget(rank);
  std::erase_if(barriers_, [](auto const& one) { return one.second.empty(); });
  for (auto& [name, event] : events_)
    std::erase_if(event.waiting, [rank](Owed const& owed) { return owed.to == rank; });
  std::erase_if(events_,
                [](auto const& one) { return !one.second.posted && one.second.waiting.empty(); });
}

}  // namespace earl::exec
