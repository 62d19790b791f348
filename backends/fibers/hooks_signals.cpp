// SPDX-License-Identifier: BSD-3-Clause
/// A rank's signals: their dispositions, and the blocked ones.
#include <setjmp.h>
#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <utility>

#include "backends/fibers/here.hpp"
#include "backends/fibers/hooks.hpp"

namespace earl::fibers {

namespace {

using Handler = void (*)(int);
using Disposition = Signals::Disposition;

constexpr bool is_signal(int number) { return number > 0 && number <= Signals::last; }
constexpr std::uint64_t bit(int number) { return std::uint64_t{1} << (number - 1); }
constexpr std::uint64_t never_held = bit(SIGKILL) | bit(SIGSTOP);

int refuse() {
  errno = EINVAL;
  return -1;
}

/// The C library's set begins with a bit for each signal.
std::uint64_t bits_of(sigset_t const& set) {
  std::uint64_t bits = 0;
  std::memcpy(&bits, &set, sizeof bits);
  return bits & ~never_held;
}

sigset_t set_of(std::uint64_t bits) {
  sigset_t set;
  sigemptyset(&set);
  std::memcpy(&set, &bits, sizeof bits);
  return set;
}

bool one_may_come() { return (me().pending_signals & ~me().signals.held) != 0; }

/// From now on; those that come through by it come now.
std::uint64_t hold(std::uint64_t bits) {
  auto const before = std::exchange(me().signals.held, bits & ~never_held);
  take_signals();
  return before;
}

Handler set_handler(int number, Handler handler) {
  if (!is_signal(number) || (bit(number) & never_held) != 0) {
    refuse();
    return SIG_ERR;
  }
  return std::exchange(me().signals.at[number], {.handler = handler}).handler;
}

int set_action(int number, struct sigaction const* action, struct sigaction* old) {
  if (!is_signal(number) || (action && (bit(number) & never_held) != 0)) return refuse();
  auto& known = me().signals.at[number];
  const Disposition before = known;
  if (action)
    known = {
        .handler = action->sa_handler, .held = bits_of(action->sa_mask), .flags = action->sa_flags};
  if (old) {
    *old = {};
    old->sa_handler = before.handler;
    old->sa_mask = set_of(before.held);
    old->sa_flags = before.flags;
  }
  return 0;
}

int change_held(int how, sigset_t const* set, sigset_t* old) {
  auto const before = me().signals.held;
  auto const bits = set ? bits_of(*set) : 0;
  if (set && how != SIG_BLOCK && how != SIG_UNBLOCK && how != SIG_SETMASK) return refuse();
  if (old) *old = set_of(before);
  if (set) hold(how == SIG_BLOCK ? before | bits : how == SIG_UNBLOCK ? before & ~bits : bits);
  return 0;
}

int change_held_of_thread(int how, sigset_t const* set, sigset_t* old) {
  return change_held(how, set, old) == 0 ? 0 : EINVAL;
}

int read_pending(sigset_t* set) {
  *set = set_of(me().pending_signals & me().signals.held);
  return 0;
}

/// 4.3BSD's interface, whose sets are ints.
int hold_more(int bits) {
  return static_cast<int>(hold(me().signals.held | static_cast<unsigned>(bits)));
}
int hold_just(int bits) { return static_cast<int>(hold(static_cast<unsigned>(bits))); }

int await_signal() {
  while (!one_may_come()) here.scheduler->wait(never);
  take_signals();
  errno = EINTR;
  return -1;
}

int await_with(sigset_t const* set) {
  auto const before = std::exchange(me().signals.held, bits_of(*set));
  await_signal();
  hold(before);
  errno = EINTR;
  return -1;
}

int raise_rank(int number) {
  raise_in_rank(number);
  return 0;
}

/// A rank handles it, ignores it or blocks it.
bool is_expected(int number) {
  auto const expects = [number](Rank rank) {
    auto const& signals = here.scheduler->find(rank)->signals;
    return signals.at[number].handler != SIG_DFL || (signals.held & bit(number)) != 0;
  };
  return is_signal(number) && std::ranges::any_of(here.scheduler->living(), expects);
}

/// The ranks are the members of their process group; the caller is the last.
int signal_all(int number) {
  for (auto const rank : here.scheduler->living())
    if (auto* const one = here.scheduler->find(rank); one && one != &me())
      signal_rank(*one, number);
  return raise_rank(number);
}

/// To itself, or to all: where no rank reacts, the system's process is meant.
int kill_rank(pid_t pid, int number) {
  if (pid == ::getpid()) return number == 0 ? 0 : raise_rank(number);
  bool const to_all = pid == 0 || pid == -::getpgrp();
  if (to_all && is_expected(number)) return signal_all(number);
  return ::kill(pid == 0 ? ::getpid() : pid, number);
}

void run_handler(int number, Disposition const& what) {
  auto& signals = me().signals;
  auto const held = signals.held;
  auto const itself = (what.flags & SA_NODEFER) != 0 ? 0 : bit(number);
  signals.held |= what.held | itself;
  if ((what.flags & static_cast<int>(SA_RESETHAND)) != 0) signals.at[number] = {};
  siginfo_t facts{};
  facts.si_signo = number;
  facts.si_code = SI_USER;
  facts.si_pid = ::getpid();
  call_handler(what, number, &facts, nullptr);
  signals.held = held;
}

/// A handler that is left by a jump leaves its signals blocked, unless the jump's own set restores
/// them. That set is the process's: nothing is blocked there.
[[noreturn]] void jump_out(sigjmp_buf where, int value) {
  if (where->__mask_was_saved != 0) me().signals.held = 0;
  ::siglongjmp(where, value);
}

}  // namespace

void call_handler(Disposition const& what, int number, siginfo_t* facts, void* context) {
  if ((what.flags & SA_SIGINFO) == 0) return what.handler(number);
  using Informed = void (*)(int, siginfo_t*, void*);
  auto const address = reinterpret_cast<std::uintptr_t>(what.handler);
  reinterpret_cast<Informed>(address)(number, facts, context);
}

bool ends_by_default(int number) {
  switch (number) {
    case SIGCHLD:
    case SIGURG:
    case SIGWINCH:
    case SIGCONT:
    case SIGSTOP:
    case SIGTSTP:
    case SIGTTIN:
    case SIGTTOU:
      return false;
    default:
      return true;
  }
}

void signal_rank(RankFiber& one, int number) {
  if (!is_signal(number)) return;
  one.pending_signals |= bit(number);
  if (&one == here.scheduler->current()) return;  // it looks when it goes on
  bool const held = (one.signals.held & bit(number)) != 0;
  bool const ends = number == SIGKILL ||
                    (!held && one.signals.at[number].handler == SIG_DFL && ends_by_default(number));
  if (!ends) return here.scheduler->make_ready(one);
  one.wait_status = number;
  one.killed_waiting = true;
  here.scheduler->end(one);
}

void raise_in_rank(int number) {
  if (!is_signal(number)) return;
  auto& rank = me();
  if ((rank.signals.held & bit(number)) != 0) {
    rank.pending_signals |= bit(number);
    return;
  }
  auto const what = number == SIGKILL ? Disposition{} : rank.signals.at[number];
  if (what.handler == SIG_IGN || (what.handler == SIG_DFL && !ends_by_default(number))) return;
  if (what.handler == SIG_DFL) terminate_rank(number);
  run_handler(number, what);
}

void take_signals() {
  auto& rank = me();
  for (int number = 1; one_may_come() && number <= Signals::last; ++number) {
    if ((rank.pending_signals & ~rank.signals.held & bit(number)) == 0) continue;
    rank.pending_signals &= ~bit(number);
    raise_in_rank(number);
  }
}

std::span<Hook const> signal_hooks() {
  static Hook const table[] = {
      hook("signal", set_handler),
      hook("__sysv_signal", set_handler),
      hook("sigaction", set_action),
      hook("sigprocmask", change_held),
      hook("pthread_sigmask", change_held_of_thread),
      hook("sigpending", read_pending),
      hook("sigblock", hold_more),
      hook("sigsetmask", hold_just),
      hook("sigsuspend", await_with),
      hook("siglongjmp", jump_out),
      hook("longjmp", jump_out),
      hook("_longjmp", jump_out),
      hook("__longjmp_chk", jump_out),
      hook("pause", await_signal),
      hook("raise", raise_rank),
      hook("kill", kill_rank),
  };
  return table;
}

}  // namespace earl::fibers
