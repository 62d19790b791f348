// SPDX-License-Identifier: BSD-3-Clause
/// The one boundary between a native API and the core: the calling process, the call's site, and
/// the handling of an Error.
#pragma once

#include <unistd.h>

#include <string>
#include <utility>

#include "exec/runtime/boot.hpp"

namespace earl {

/// The site as it is: the program called this front end itself.
struct SiteOfCaller {
  void const* operator()(Process&, void const* site) const { return site; }
};

/// Runs `body(Process&)` as the API call `name` (a string with static storage). An Error goes to
/// `on_error(Process*, Error const&)`, which makes a native one of it; its Process is null when the
/// caller is a fork()ed child that is no part of the job. Inlined always, so that the site is the
/// program's return address and not a front end's. `site_of(Process&, site)` gives the program's
/// where a library of the front end's has called.
template <class Body, class OnError, class SiteOf = SiteOfCaller>
[[gnu::always_inline]] inline auto api_call(char const* name, Body&& body, OnError&& on_error,
                                            SiteOf const& site_of = {})
    -> decltype(body(std::declval<Process&>())) {
  void const* site = __builtin_extract_return_addr(__builtin_return_address(0));
  Process* me = boot::process();
  if (!me) [[unlikely]]
    me = boot::late_process();
  try {
    if (!me) [[unlikely]]
      throw Error(
          Fault::no_job,
          "{} was called in a forked child, which is no part of the job: leave the calls to "
          "its parent, or start a process of the job",
          name);
    me->enter(Call{.name = name, .site = site_of(*me, site)});
    return body(*me);
  } catch (Error const& error) {
    boot::end_if_damaged(me, error);
    return on_error(me, error);
  }
}

/// For front ends whose errors end the process. A forked child has no Process that could say so;
/// its error names the call.
[[noreturn]] inline void end_forked_child(Error const& error) {
  auto const line = error.what() + std::string{"\n"};
  [[maybe_unused]] auto const written = ::write(STDERR_FILENO, line.data(), line.size());
  ::_exit(1);
}

}  // namespace earl
