// SPDX-License-Identifier: BSD-3-Clause
// Signalling: pvm_notify. The answer is a message of its own, from the virtual machine.
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "frontends/pvm3/call.hpp"
#include "frontends/pvm3/machine.hpp"
#include "generic/exec_client.hpp"

namespace earl::pvm {

namespace {

/// The body of a notice: integers in XDR.
std::string body_of(std::initializer_list<int> values) {
  std::string body;
  for (int const value : values)
    for (int shift = 24; shift >= 0; shift -= 8) body.push_back(static_cast<char>(value >> shift));
  return body;
}

NoticeRequest request_for(State& state, int tag, bool cancel) {
  return {.context = context_of_number(state.context()),
          .tag = Tag{tag},
          .encoding = Encoding::xdr,
          .cancel = cancel};
}

int notify_exits(State& state, int tag, std::span<int const> tids, bool cancel) {
  if (tids.empty() || !std::all_of(tids.begin(), tids.end(), is_task)) return PvmBadParam;
  need_machine(state);
  for (int const tid : tids) {
    auto request = request_for(state, tag, cancel);
    request.subject = number(state.id_of(tid).value_or(no_rank));
    request.body = body_of({tid});
    state.me.exec().notify(request, fmt::format("the exit of task t{:x}", tid));
  }
  return PvmOk;
}

int notify_deletions(State& state, int tag, std::span<int const> hosts, bool cancel) {
  if (hosts.empty()) return PvmBadParam;
  need_machine(state);
  for (int const host : hosts) {
    auto request = request_for(state, tag, cancel);
    request.body = body_of({host});
    if (auto const known = state.machine().find(host)) {  // a task's id stands for its host
      request.what = NoticeEvent::host_deleted;
      request.subject = static_cast<std::int32_t>(*known);
    } else {
      request.subject = number(no_rank);  // not there: notified at once
    }
    state.me.exec().notify(request,
                           fmt::format("the deletion of host t{:x}", static_cast<unsigned>(host)));
  }
  return PvmOk;
}

int notify(State& state, int what, int tag, int count, int const* tids) {
  bool const cancel = (what & PvmNotifyCancel) != 0;
  int const kind = what & ~PvmNotifyCancel;
  if (tag < 0) return PvmBadParam;
  state.enroll();
  std::span<int const> const list{tids, tids && count > 0 ? static_cast<std::size_t>(count) : 0};
  switch (kind) {
    case PvmTaskExit:
      return notify_exits(state, tag, list, cancel);
    case PvmHostDelete:
      return notify_deletions(state, tag, list, cancel);
    case PvmRouteDelete:
      return list.empty() ? PvmBadParam : PvmOk;
    case PvmHostAdd:
    case PvmRouteAdd:
      // The virtual machine does not grow, and has no routes: none of this ever happens.
      return PvmOk;
    default:
      return PvmBadParam;
  }
}

}  // namespace

}  // namespace earl::pvm

using namespace earl;

extern "C" {

int pvm_notify(int what, int tag, int cnt, int* tids) {
  return pvm::call("pvm_notify",
                   [&](pvm::State& s) { return pvm::notify(s, what, tag, cnt, tids); });
}

}  // extern "C"
