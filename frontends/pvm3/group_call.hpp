// SPDX-License-Identifier: BSD-3-Clause
/// The boundary of libgpvm3: it has no state of its own and reports through libpvm3.
#pragma once

#include "frontends/common/call.hpp"
#include "frontends/pvm3/exported_data.hpp"
#include "frontends/pvm3/translate.hpp"
#include "generic/services/groups.hpp"

extern "C" int lpvmerr(char const* name, int code);

namespace earl::pvm {

/// Like lpvmerr(), but the program goes on whatever PvmAutoErr says.
inline int reported(Process& me, char const* name, int code) {
  int const manners = me.cell(pvmautoerr);
  if (manners > 1) me.cell(pvmautoerr) = 1;
  lpvmerr(name, code);
  me.cell(pvmautoerr) = manners;
  return code;
}

/// Runs `body(Process&)` as the API call `name`; a group call enrols. A negative result is an
/// error, which `failed(Process&, name, code)` reports.
template <class Body, class Failed>
[[gnu::always_inline]] inline int group_call(char const* name, Body&& body, Failed&& failed) {
  return api_call(
      name,
      [&](Process& me) {
        if (me.cell(pvmmytid) <= 0) pvm_mytid();
        auto const* mine = me.table().find(me.rank());
        if (mine && mine->role == Role::bare) [[unlikely]]
          pvm_start_pvmd(0, nullptr, 0);
        int const result = body(me);
        return result < 0 ? failed(me, name, result) : result;
      },
      [&](Process* me, Error const& error) {
        if (me && me->cell(pvmautoerr) != 0) me->print_line(error.what());
        return lpvmerr(name, code_of(error.fault()));
      },
      SiteOfProgram{});
}

/// A call about membership. In PVM its errors are silent, and so never the program's end.
template <class Body>
[[gnu::always_inline]] inline int group_call(char const* name, Body&& body) {
  return group_call(name, body, reported);
}

/// A call that moves data; its errors are like those of libpvm3.
template <class Body>
[[gnu::always_inline]] inline int group_data_call(char const* name, Body&& body) {
  return group_call(name, body,
                    [](Process&, char const* who, int code) { return lpvmerr(who, code); });
}

/// The caller's name in EXEC's services; the caller has enrolled.
inline Rank own_id(Process& me) {
  int const tid = me.cell(pvmmytid);
  return is_task(tid) ? id_in(me.table(), tid) : me.rank();
}

constexpr int code_of(GroupFault fault) {
  switch (fault) {
    case GroupFault::none:
      return PvmOk;
    case GroupFault::no_group:
      return PvmNoGroup;
    case GroupFault::not_member:
    case GroupFault::frozen:
      return PvmNotInGroup;
    case GroupFault::already_member:
      return PvmDupGroup;
    case GroupFault::mismatch:
      return PvmMismatch;
    case GroupFault::bad_count:
      break;
  }
  return PvmBadParam;
}

inline bool is_name(char const* group) { return group && *group; }

}  // namespace earl::pvm
