// SPDX-License-Identifier: BSD-3-Clause
/// Errors as seen by a PVM 2 program: a negative code, and a line where there is more to say.
#pragma once

#include "frontends/common/call.hpp"
#include "frontends/pvm2/state.hpp"
#include "frontends/pvm2/translate.hpp"

namespace earl::pvm2 {

/// Prints an error of Earl itself, and returns its code. `me` is null in a forked child.
int failed(Process* me, char const* name, Error const& error);
/// The call needs an enrolled process.
int not_enrolled(State& state, char const* name);

/// Runs `body(State&)` as the API call `name`, also before enroll().
template <class Body>
[[gnu::always_inline]] inline int free_call(char const* name, Body&& body) {
  return api_call(
      name, [&](Process& me) -> int { return body(state_of(me)); },
      [&](Process* me, Error const& error) { return failed(me, name, error); });
}

/// Like free_call(), for members of the virtual machine.
template <class Body>
[[gnu::always_inline]] inline int call(char const* name, Body&& body) {
  return free_call(name, [&](State& state) -> int {
    return state.self ? body(state) : not_enrolled(state, name);
  });
}

}  // namespace earl::pvm2
