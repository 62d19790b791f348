// SPDX-License-Identifier: BSD-3-Clause
#include "frontends/nx/message_info.hpp"

#include "frontends/nx/include/nx.h"

// Weak like every entry point, so that a Fortran program's COMMON /MSGINFO/ takes the place of
// ours.
extern "C" {
[[gnu::weak]] long msginfo[8] = {-1, -1, -1, -1, -1, -1, -1, -1};
[[gnu::weak]] std::int32_t msginfo_[8] = {-1, -1, -1, -1, -1, -1, -1, -1};
}

namespace earl::nx {

namespace {

template <class Integer>
void write(Integer* info, Facts const& facts) {
  info[0] = facts.type;
  info[1] = facts.count;
  info[2] = facts.node;
  info[3] = facts.pid;
}

}  // namespace

std::int32_t MessageInfo::fact(std::size_t which) const {
  return static_cast<std::int32_t>(process_.cell(msginfo)[which]);
}

void MessageInfo::set(Facts const& facts) {
  write(process_.cell(msginfo), facts);
  write(process_.cell(msginfo_), facts);
}

void MessageInfo::set(Facts const& facts, InfoArray const& info) {
  if (info.wide) write(info.wide, facts);
  if (info.narrow) write(info.narrow, facts);
  // Programs hand the global over as `info` and then ask infocount(), in either language.
  if (info.named() && info.wide != process_.cell(msginfo) && info.narrow != process_.cell(msginfo_))
    return;
  set(facts);
}

}  // namespace earl::nx
