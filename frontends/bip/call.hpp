/// How BIP's calls look to a program: no call reports an error, errors end the job.
#pragma once

#include <sys/single_threaded.h>

#include <atomic>

#include "frontends/bip/state.hpp"
#include "frontends/common/call.hpp"

namespace earl::bip {

/// Says "bip[N] name: ..." and ends the process with status 1. `process` is null in a forked child.
[[noreturn]] void fail(Process* process, char const* name, Error const& error);

/// One call of one thread; of the calls that several threads make, one at a time. Another ends the
/// process, with status 1 and words: the core has one caller.
class Turn {
 public:
  Turn(State& me, char const* name) {
    if (__libc_single_threaded) [[likely]]
      return;
    if (me.inside().exchange(true, std::memory_order_acquire)) refuse_thread(me, name);
    me_ = &me;
  }
  ~Turn() {
    if (me_) me_->inside().store(false, std::memory_order_release);
  }
  Turn(Turn const&) = delete;
  Turn& operator=(Turn const&) = delete;

 private:
  [[noreturn]] static void refuse_thread(State& me, char const* name);

  State* me_ = nullptr;
};

/// Does the API call `name`: function(State&, arguments...). Inlined, so that the site a debugger
/// sees is the program's.
template <class Function, class... Arguments>
[[gnu::always_inline]] inline auto call_any_time(char const* name, Function const& function,
                                                 Arguments... arguments)
    -> decltype(function(std::declval<State&>(), arguments...)) {
  using Result = decltype(function(std::declval<State&>(), arguments...));
  return api_call(
      name,
      [&](Process& process) -> Result {
        State& me = state_of(process);
        const Turn turn(me, name);
        return function(me, arguments...);
      },
      [&](Process* process, Error const& error) -> Result { fail(process, name, error); });
}

/// As call_any_time(), after bip_init() only.
template <class Function, class... Arguments>
[[gnu::always_inline]] inline auto call(char const* name, Function const& function,
                                        Arguments... arguments)
    -> decltype(function(std::declval<State&>(), arguments...)) {
  return call_any_time(
      name,
      [&](State& me, Arguments... same) -> decltype(function(me, same...)) {
        if (!me.ready()) [[unlikely]]
          throw Error("called before bip_init");
        return function(me, same...);
      },
      arguments...);
}

}  // namespace earl::bip
