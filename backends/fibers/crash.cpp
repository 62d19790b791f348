// SPDX-License-Identifier: BSD-3-Clause
#include "backends/fibers/crash.hpp"

#include <fmt/format.h>
#include <signal.h>

#include <array>
#include <string>
#include <vector>

#include "backends/fibers/here.hpp"
#include "generic/system/instruction.hpp"

namespace earl::fibers {

namespace {

/// The context of the last rank that crashed. The rank ends next, and its stack stays until then.
struct Noted {
  RankFiber const* rank = nullptr;
  ucontext_t context{};
};
Noted noted;

void die_of(int number) {
  ::signal(number, SIG_DFL);
  ::raise(number);
}

/// The fault is not in the running rank, but in a waiting one that posted a receive into unwritable
/// memory.
[[noreturn]] void crashed_for(RankFiber& receiver, int number) {
  receiver.fault_report = "its receive buffer is not writable";
  receiver.wait_status = number;
  receiver.corrupted_shared_state = true;
  here.scheduler->end(receiver);
  std::abort();  // the shared process has ended
}

/// Runs on the signal stack. Does not return to the code that crashed.
void crashed(int number, siginfo_t* facts, void* context) {
  RankFiber* const rank = here.scheduler ? here.scheduler->current() : nullptr;
  if (!rank) return die_of(number);
  if (auto* const receiver = here.scheduler->concerned(); receiver != rank)
    return crashed_for(*receiver, number);
  auto const& what = rank->signals.at[number];
  if (what.handler != SIG_DFL && what.handler != SIG_IGN)
    return call_handler(what, number, facts, context);
  auto const address = interrupted_instruction(context);
  note_crash(*rank, address, *static_cast<ucontext_t const*>(context));
  rank->crash.stack_overflow =
      number == SIGSEGV && rank->stack->guards(reinterpret_cast<std::uintptr_t>(facts->si_addr));
  // Within a library that all ranks share something may be half done for ever.
  rank->corrupted_shared_state = number != SIGABRT && !rank->copy->place_of(address).image;
  terminate_rank(number);
}

}  // namespace

/// One that crashes here again ends as it would have done.
void note_crash(RankFiber& rank, std::uintptr_t place, ucontext_t const& context) {
  rank.crash.happened = true;
  rank.crash.place = place;
  noted.rank = &rank;
  noted.context = context;
}

std::string explain_crash(RankFiber const& rank, SharedProcessHost& host) {
  std::string text;
  if (rank.crash.stack_overflow)
    text = fmt::format("its stack of {} KiB is used up (--stack gives ranks larger ones), ",
                       rank.stack->size() / 1024);
  std::vector<Loaded> loaded;
  auto const& images = rank.copy->program().images();
  for (std::size_t i = 0; i < images.size(); ++i) {
    auto const base = rank.copy->base(i);
    auto const frames = images[i]->frames();
    loaded.push_back({.path = images[i]->path(),
                      .base = base,
                      .size = images[i]->span(),
                      .frames = frames == 0 ? nullptr : reinterpret_cast<void*>(base + frames)});
  }
  // Another rank has crashed since; the place is still known.
  if (noted.rank != &rank) noted.context = {};
  return text + host.calls(&noted.context, rank.crash.place, loaded);
}

void watch_for_crashes() {
  constexpr std::size_t size = 64 * 1024;
  static std::array<std::byte, size> memory;
  stack_t const stack{.ss_sp = memory.data(), .ss_flags = 0, .ss_size = memory.size()};
  ::sigaltstack(&stack, nullptr);
  struct sigaction action {};
  action.sa_sigaction = crashed;
  // The handler may never return, and the next crash is another rank's.
  action.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER;
  for (int const number : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGSYS, SIGTRAP})
    ::sigaction(number, &action, nullptr);
}

}  // namespace earl::fibers
