// SPDX-License-Identifier: BSD-3-Clause
/// BIP's calls as seen by a program: no call reports an error, errors end the job.
#pragma once

#include <sys/single_threaded.h>

#include "frontends/bip/state.hpp"
#include "frontends/common/call.hpp"

namespace earl::bip {

/// Says "bip[N] name: ..." and ends the process with status 1. `process` is null in a forked child.
[[noreturn]] void fail(Process* process, char const* name, Error const& error);

/// One call of one thread. Of those that several threads make at a time one is at work, and one
/// that waits lets the others have their turns (State::until).
class Turn {
 public:
  explicit Turn(Process* process) {
    if (__libc_single_threaded || !process) [[likely]]
      return;
    me_ = &state_of(*process);
    me_->begin_turn();
  }
  ~Turn() {
    if (me_) me_->end_turn();
  }
  Turn(Turn const&) = delete;
  Turn& operator=(Turn const&) = delete;

 private:
  State* me_ = nullptr;
};

/// Does the API call `name`: function(State&, arguments...). Inlined, so that the site a debugger
/// sees is the program's.
template <class Function, class... Arguments>
[[gnu::always_inline]] inline auto call_any_time(char const* name, Function const& function,
                                                 Arguments... arguments)
    -> decltype(function(std::declval<State&>(), arguments...)) {
  using Result = decltype(function(std::declval<State&>(), arguments...));
  const Turn turn(boot::process());
  return api_call(
      name, [&](Process& process) -> Result { return function(state_of(process), arguments...); },
      [&](Process* process, Error const& error) -> Result { fail(process, name, error); });
}

/// Like call_any_time(), after bip_init() only.
template <class Function, class... Arguments>
[[gnu::always_inline]] inline auto call(char const* name, Function const& function,
                                        Arguments... arguments)
    -> decltype(function(std::declval<State&>(), arguments...)) {
  return call_any_time(
      name,
      [&](State& me, Arguments... same) -> decltype(function(me, same...)) {
        if (!me.ready()) [[unlikely]]
          throw Error("called before bip_init: call bip_init first");
        return function(me, same...);
      },
      arguments...);
}

}  // namespace earl::bip
