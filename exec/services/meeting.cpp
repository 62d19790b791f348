#include "exec/services/meeting.hpp"

#include <fmt/format.h>

namespace earl::exec {

Lack Meeting::lack(std::string_view where, std::span<Rank const> members, bool others) const {
  Lack lack{.what = fmt::format("{} of {}", where, count_)};
  for (auto const member : members)
    if (member != no_rank && !has(member)) lack.from.push_back(process_of(member));
  auto const missing = count_ - waiting_.size();
  lack.all = missing >= lack.from.size();
  lack.others = others || missing > lack.from.size();
  return lack;
}

}  // namespace earl::exec
