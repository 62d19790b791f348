// SPDX-License-Identifier: BSD-3-Clause
#include "frontends/pvm2/call.hpp"

#include <fmt/format.h>

namespace earl::pvm2 {

int failed(Process* me, char const* name, Error const& error) {
  if (me) me->print_line(fmt::format("libpvm: {}(): {}", name, error.what()));
  return code_of(error.fault());
}

int not_enrolled(State& state, char const* name) {
  state.me.print_line(
      fmt::format("libpvm: {}(): this process has not enrolled: call enroll() first", name));
  return PvmSysErr;
}

}  // namespace earl::pvm2
