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

MessageInfo::MessageInfo(Process& process)
    : wide_(process.cell(msginfo)), narrow_(process.cell(msginfo_)) {}

std::int32_t MessageInfo::fact(std::size_t which) const {
  return static_cast<std::int32_t>(wide_[which]);
}

void MessageInfo::set(Facts const& facts) {
  write(wide_, facts);
  write(narrow_, facts);
}

void MessageInfo::set(Facts const& facts, InfoArray const& info) {
  if (info.wide) write(info.wide, facts);
  if (info.narrow) write(info.narrow, facts);
  // Programs hand the global over as `info` and then ask infocount(), in either language.
  if (info.named() && info.wide != wide_ && info.narrow != narrow_) return;
  set(facts);
}

}  // namespace earl::nx
