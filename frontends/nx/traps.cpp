// SPDX-License-Identifier: BSD-3-Clause
#include "frontends/nx/traps.hpp"

#include <algorithm>

#include "frontends/nx/call.hpp"
#include "frontends/nx/receiving.hpp"

namespace earl::nx {

namespace {

using TrapArguments = std::array<std::int32_t, 5>;  ///< type, count, node, pid, hparam

/// Every argument is a long: a handler that declared int reads the right half of the register.
void call_function(Trap const& trap, TrapArguments a) {
  using Function = void (*)(long, long, long, long);
  using Extended = void (*)(long, long, long, long, long);
  using Fortran = void (*)(std::int32_t*, std::int32_t*, std::int32_t*, std::int32_t*);
  using ExtendedFortran =
      void (*)(std::int32_t*, std::int32_t*, std::int32_t*, std::int32_t*, std::int32_t*);
  switch (trap.abi) {
    case HandlerAbi::c:
      return reinterpret_cast<Function>(trap.function)(a[0], a[1], a[2], a[3]);
    case HandlerAbi::c_extended:
      return reinterpret_cast<Extended>(trap.function)(a[0], a[1], a[2], a[3], a[4]);
    case HandlerAbi::fortran:
      return reinterpret_cast<Fortran>(trap.function)(&a[0], &a[1], &a[2], &a[3]);
    case HandlerAbi::fortran_extended:
      return reinterpret_cast<ExtendedFortran>(trap.function)(&a[0], &a[1], &a[2], &a[3], &a[4]);
  }
}

/// The arguments of the handler. A message that was too long is reported to no handler: it is the
/// end.
TrapArguments arguments_of(Trap const& trap, Completion const& got) {
  State& me = *trap.me;
  if (trap.sends) return {trap.sent[0], trap.sent[1], trap.sent[2], trap.sent[3], trap.parameter};
  try {
    accept(me, got, trap.room);
  } catch (Error const& error) {
    fail_plainly(&me.process(), trap.call, error);
  }
  return {me.info().fact(0), me.info().fact(1), me.info().fact(2), me.info().fact(3),
          trap.parameter};
}

}  // namespace

void Traps::post(Process& process, RequestId request, Trap trap) {
  trap.request = request;
  traps_.push_back(trap);
  process.handlers().on_completion(request, {.function = run, .with = &traps_.back()});
}

void Traps::disarm(Process& process, std::int32_t typesel) {
  traps_.remove_if([&](Trap const& trap) {
    return !trap.sends && trap.typesel == typesel && process.cancel(trap.request);
  });
}

void Traps::run(void* with, Completion const& got) {
  auto const& posted = *static_cast<Trap const*>(with);
  State& me = *posted.me;
  auto& traps = me.traps().traps_;
  const Trap trap = posted;
  traps.erase(
      std::find_if(traps.begin(), traps.end(), [&](Trap const& t) { return &t == &posted; }));
  // The program was perhaps between a receive and infocount().
  const Facts before = me.info().facts();
  call_function(trap, arguments_of(trap, got));
  me.info().set(before);
}

}  // namespace earl::nx
