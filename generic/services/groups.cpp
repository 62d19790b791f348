// SPDX-License-Identifier: BSD-3-Clause
#include "generic/services/groups.hpp"

#include <algorithm>

#include "generic/base/error.hpp"

namespace earl {

namespace {

constexpr std::uint32_t most_members = 65'536;
constexpr auto last_fault = static_cast<std::uint32_t>(GroupFault::frozen);

GroupFault fault_from(Reader& from) {
  return static_cast<GroupFault>(std::min(from.u32(), last_fault));
}

}  // namespace

void GroupAnswer::write(Writer& to) const {
  to.u32(static_cast<std::uint32_t>(fault));
  to.i32(instance);
  to.u32(size);
}

GroupAnswer GroupAnswer::read(Reader& from) {
  GroupAnswer answer;
  answer.fault = fault_from(from);
  answer.instance = from.i32();
  answer.size = from.u32();
  return answer;
}

void Members::write(Writer& to) const {
  to.u32(static_cast<std::uint32_t>(fault));
  to.u32(frozen ? 1 : 0);
  to.u32(static_cast<std::uint32_t>(ranks.size()));
  for (auto const rank : ranks) to.i32(number(rank));
}

Members Members::read(Reader& from) {
  Members members;
  members.fault = fault_from(from);
  members.frozen = from.u32() != 0;
  auto const count = from.u32();
  if (count > most_members) throw Error("EXEC's answer claims a group of {} members", count);
  for (std::uint32_t i = 0; i < count; ++i) members.ranks.push_back(Rank{from.i32()});
  return members;
}

std::uint32_t Members::size() const {
  return static_cast<std::uint32_t>(
      std::count_if(ranks.begin(), ranks.end(), [](Rank rank) { return rank != no_rank; }));
}

std::int32_t Members::instance_of(Rank rank) const {
  auto const found = std::find(ranks.begin(), ranks.end(), rank);
  return found == ranks.end() ? -1 : static_cast<std::int32_t>(found - ranks.begin());
}

void MeetRequest::write(Writer& to) const {
  to.text(name);
  to.i32(count);
}

MeetRequest MeetRequest::read(Reader& from) {
  MeetRequest request;
  request.name = from.text();
  request.count = from.i32();
  return request;
}

}  // namespace earl
