// SPDX-License-Identifier: BSD-3-Clause
#include "exec/launcher/services/meeting.hpp"

#include <fmt/format.h>

namespace earl::exec {

WaitReason Meeting::reason(std::string_view where, std::span<Rank const> members,
                           bool others) const {
  WaitReason reason{.what = fmt::format("{} of {}", where, count_)};
  for (auto const member : members)
    if (member != no_rank && !has(member)) reason.from.push_back(process_of(member));
  auto const missing = count_ - waiting_.size();
  reason.all = missing >= reason.from.size();
  reason.others = others || missing > reason.from.size();
  return reason;
}

}  // namespace earl::exec
