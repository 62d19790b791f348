// SPDX-License-Identifier: BSD-3-Clause
/// Handlers that a program has posted and that have not run yet.
#pragma once

#include <array>
#include <cstdint>
#include <list>

#include "frontends/nx/include/nx.h"
#include "generic/process.hpp"

namespace earl::nx {

class State;

/// Signature of the handler: C or Fortran, plain or extended.
enum class HandlerAbi { c, c_extended, fortran, fortran_extended };

/// One handler. A handler is one-shot: programs post it again themselves.
struct Trap {
  State* me = nullptr;
  char const* call = "";  ///< the API call that posted it, for its errors
  nx_trap function = nullptr;
  HandlerAbi abi = HandlerAbi::c;
  std::int32_t parameter = 0;  ///< hparam of the x-calls
  RequestId request = no_request;
  std::int32_t typesel = 0;
  std::size_t room = 0;                ///< bytes a receive has room for
  std::array<std::int32_t, 4> sent{};  ///< hsend: type, count, node and pid
  bool sends = false;
};

class Traps {
 public:
  /// Runs the trap, once, when `request` is complete.
  void post(Process& process, RequestId request, Trap trap);
  /// Takes the receives with this selector back; their handlers do not run.
  void disarm(Process& process, std::int32_t typesel);

 private:
  static void run(void* with, Completion const& got);

  std::list<Trap> traps_{};
};

}  // namespace earl::nx
