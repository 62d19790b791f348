// SPDX-License-Identifier: BSD-3-Clause
#include "frontends/pvm3/machine.hpp"

#include "exec/runtime/boot.hpp"
#include "exec/runtime/session.hpp"
#include "frontends/pvm3/call.hpp"
#include "generic/exec_client.hpp"

namespace earl::pvm {

namespace {

/// The task is the first there, as it was alone: the program's knowledge of it stays true. A
/// machine that has been started since has another task of that id.
bool start_machine(State& state) {
  bool const is_first = boot::start_session("pvm3");
  if (!is_first) {
    boot::become_host("pvm3", {});
    state.me.print_line(
        line_about(state, "virtual machine",
                   "it was started after this task had enrolled, which gets one of its "
                   "own; to share it, start it before, with `pvm`"));
  }
  send_prior_returns(state);
  move_contexts(state);
  return is_first;
}

}  // namespace

void send_prior_returns(State& state) {
  auto const returns = returns_of(state.id());
  for (std::uint32_t n = 0; n < returns; ++n) state.me.exec().retire();
  if (returns != 0) state.me.exec().processes();
}

bool need_machine(State& state) {
  state.enroll();
  return alone(state) && start_machine(state);
}

}  // namespace earl::pvm
