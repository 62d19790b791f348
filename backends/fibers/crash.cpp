// SPDX-License-Identifier: BSD-3-Clause
#include "backends/fibers/crash.hpp"

#include <dlfcn.h>
#include <execinfo.h>
#include <fmt/format.h>
#include <signal.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <span>
#include <string>
#include <utility>

#include "backends/fibers/here.hpp"
#include "generic/system/instruction.hpp"

namespace earl::fibers {

namespace {

constexpr std::size_t most_callers = 8;  ///< callers

/// "work at ring.c:12", or the best other description of an address. A return address is just
/// behind its call.
std::string in_words(Resident const& rank, SharedProcessHost& host, std::uintptr_t address) {
  if (auto const place = rank.copy->place_of(address); place.image)
    return host.place(place.image->path(), place.address);
  Dl_info facts{};
  if (::dladdr(reinterpret_cast<void*>(address), &facts) == 0 || !facts.dli_fname)
    return fmt::format("{:#x}", address);
  return fmt::format("{} of {}", facts.dli_sname ? facts.dli_sname : "a function", facts.dli_fname);
}

bool in_program(Resident const& rank, void const* address) {
  return rank.copy->place_of(reinterpret_cast<std::uintptr_t>(address)).image != nullptr;
}

void die_of(int number) {
  ::signal(number, SIG_DFL);
  ::raise(number);
}

/// The fault is not in the running rank, but in a waiting one that posted a receive into unwritable
/// memory.
[[noreturn]] void crashed_for(Resident& post_for_arrival, int number) {
  post_for_arrival.failure_report = "its receive buffer is not writable";
  post_for_arrival.wait_status = number;
  post_for_arrival.corrupted_shared_state = true;
  here.scheduler->end(post_for_arrival);
  std::abort();  // the shared process has ended
}

/// Runs on the signal stack. Does not return to the code that crashed.
void crashed(int number, siginfo_t* facts, void* context) {
  Resident* const rank = here.scheduler ? here.scheduler->current() : nullptr;
  if (!rank) return die_of(number);
  if (auto* const post_for_arrival = here.scheduler->concerned(); post_for_arrival != rank)
    return crashed_for(*post_for_arrival, number);
  auto const& what = rank->signals.at[number];
  if (what.handler != SIG_DFL && what.handler != SIG_IGN)
    return call_handler(what, number, facts, context);
  auto const address = interrupted_instruction(context);
  note_crash(*rank, address);
  if (number == SIGSEGV && rank->stack->guards(reinterpret_cast<std::uintptr_t>(facts->si_addr)))
    rank->crash.sentence =
        fmt::format("its stack of {} KiB is used up (--stack gives ranks larger ones), ",
                    rank->stack->size() / 1024);
  // Within a library that all ranks share something may be half done for ever.
  rank->corrupted_shared_state = number != SIGABRT && !rank->copy->place_of(address).image;
  end_me(number);
}

}  // namespace

/// From the place of the crash on; the frames of the handler lie before it. A rank that crashes
/// here again has no stack to show.
void note_crash(Resident& rank, std::uintptr_t where) {
  auto& crash = rank.crash;
  crash.stack[0] = reinterpret_cast<void*>(where);
  crash.frames = 1;
  if (std::exchange(crash.happened, true)) return;
  void* all[2 * Crash::most_frames];
  auto const count = std::max(::backtrace(all, static_cast<int>(std::size(all))), 0);
  const std::span found{all, static_cast<std::size_t>(count)};
  auto const first = std::ranges::find_if(found, [&](void const* frame) {
    auto const address = reinterpret_cast<std::uintptr_t>(frame);
    return address == where || address == where + 1;
  });
  if (first == found.end()) return;
  for (void* const frame : std::span{first + 1, found.end()})
    if (crash.frames < Crash::most_frames) crash.stack[crash.frames++] = frame;
}

std::string story_of(Resident const& rank, SharedProcessHost& host) {
  auto const& crash = rank.crash;
  auto const stack = std::span{crash.stack}.first(crash.frames);
  auto story = crash.sentence + "in ";
  story += in_words(rank, host, reinterpret_cast<std::uintptr_t>(stack[0]) + 1);
  std::size_t callers = 0;
  for (auto* const address : stack.subspan(1)) {
    if (!in_program(rank, address)) continue;
    auto const caller = in_words(rank, host, reinterpret_cast<std::uintptr_t>(address));
    if (caller.starts_with("_start ")) break;
    if (++callers > most_callers) return story + ", and so on";
    story += ", called by " + caller;
  }
  return story;
}

void watch_for_crashes() {
  // The first call loads the unwinder; a handler should not.
  void* one = nullptr;
  ::backtrace(&one, 1);

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
