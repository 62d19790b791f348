// SPDX-License-Identifier: BSD-3-Clause
/// Native terms <-> generic terms, and nothing else.
#pragma once

#include <string_view>

#include "frontends/pvm2/include/pvmuser.h"
#include "generic/base/error.hpp"
#include "generic/base/values.hpp"
#include "generic/services/groups.hpp"
#include "generic/services/operations.hpp"

namespace earl::pvm2 {

/// The two ways of a message; one that goes one way is not received the other.
enum class Way {
  usual,    ///< snd, rcv: in PVM 2 through the daemons; here shared with all front ends
  virtual_  ///< vsnd, vrcv: in PVM 2 over a connection of the two
};

constexpr Context context_of_way(Way way) {
  return way == Way::usual ? common_context : context_of(Space::user, 0x7fffb);
}

/// Marks processes that initiate() has started; their label is their instance number.
inline constexpr std::uint32_t initiated = 0x7076'6d32;

/// The longest name of a component. Programs have 32 bytes for the names of rcvinfo() and whoami().
inline constexpr std::size_t most_name = 31;

/// PvmOk, or the fault of a name.
constexpr int judge_name(char const* name) {
  if (!name || !*name) return PvmBadParam;
  return std::string_view{name}.size() > most_name ? PvmTooLong : PvmOk;
}

/// Selects any type.
inline constexpr int any_type = -1;
constexpr bool is_type(int type) { return type >= 0; }

constexpr int code_of(SpawnFault fault) {
  switch (fault) {
    case SpawnFault::none:
      return PvmOk;
    case SpawnFault::not_found:
    case SpawnFault::denied:
      return PvmNoFile;
    default:
      return PvmSysErr;
  }
}

constexpr int code_of(GroupFault fault) {
  switch (fault) {
    case GroupFault::none:
      return PvmOk;
    case GroupFault::mismatch:
      return PvmMismatch;
    default:
      return PvmBadParam;
  }
}

constexpr int code_of(Fault fault) {
  switch (fault) {
    case Fault::bad_rank:
    case Fault::bad_tag:
    case Fault::bad_length:
    case Fault::bad_request:
      return PvmBadParam;
    case Fault::no_memory:
      return PvmNoMem;
    default:
      return PvmSysErr;
  }
}

}  // namespace earl::pvm2
