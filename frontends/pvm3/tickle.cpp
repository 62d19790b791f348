// SPDX-License-Identifier: BSD-3-Clause
// pvm_tickle: requests to PVM's daemon. There is none; EXEC knows hosts, tasks and the mailbox.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <span>
#include <string>

#include "frontends/pvm3/call.hpp"
#include "frontends/pvm3/information.hpp"
#include "frontends/pvm3/machine.hpp"
#include "generic/exec_client.hpp"

namespace earl::pvm {

namespace {

// The first word, as in PVM. Others dump the daemon's heap, waits and statistics, or set its
// packing and its block lists: these do not exist here.
enum Question : int {
  dump_hosts = 1,
  dump_tasks = 2,
  dump_mailbox = 4,
  get_debug_mask = 5,
  set_debug_mask = 6,
  fail_host = 8,
};

constexpr int most_words = 10;

/// A line of a dump. Natively it is in the daemon's log.
void print_line(State& state, std::string const& line) {
  state.me.print_line(line_about(state, "pvm_tickle()", line));
}

void print_hosts(State& state) {
  for (auto const& info : state.machine().infos())
    print_line(state, fmt::format("host t{:x} {} {}", info.hi_tid, info.hi_name, info.hi_arch));
}

void print_tasks(State& state) {
  for (auto const& task : tasks_at(state, 0).tasks)
    print_line(state, fmt::format("task t{:x} parent t{:x} flags {:x} pid {}", task.ti_tid,
                                  std::max(task.ti_ptid, 0), task.ti_flag, task.ti_pid));
}

void print_mailbox(State& state) {
  need_machine(state);
  for (auto const& entry : state.me.exec().entries().entries)
    if (!entry.name.starts_with(context_class))
      print_line(state,
                 fmt::format("mailbox {} index {} owner t{:x} flags {}", entry.name, entry.index,
                             entry.owner == no_rank ? 0 : state.tid_of(entry.owner), entry.word));
}

struct Results {
  int* count;
  int* words;
};

/// Either may be null.
int answer(Results const& to, std::span<int const> words) {
  if (to.count) *to.count = static_cast<int>(words.size());
  if (to.words) std::copy(words.begin(), words.end(), to.words);
  return PvmOk;
}

int tickle(State& state, std::span<int const> words, Results const& results) {
  state.enroll();
  switch (words.front()) {
    case dump_hosts:
      print_hosts(state);
      break;
    case dump_tasks:
      print_tasks(state);
      break;
    case dump_mailbox:
      print_mailbox(state);
      break;
    case get_debug_mask:
      return answer(results, std::array{state.daemon_debug_mask});
    case set_debug_mask:
      state.daemon_debug_mask = words.size() > 1 ? words[1] : 0;
      break;
    case fail_host:
      return answer(results, std::array{0});  // hosts stay, as the own one does in PVM
    default:
      break;
  }
  return answer(results, {});
}

}  // namespace

}  // namespace earl::pvm

using namespace earl;

extern "C" {

int pvm_tickle(int narg, int* args, int* nresp, int* resp) {
  return pvm::call("pvm_tickle", [&](pvm::State& s) -> int {
    if (narg < 1 || narg > pvm::most_words || !args) return PvmBadParam;
    return pvm::tickle(s, {args, static_cast<std::size_t>(narg)}, {.count = nresp, .words = resp});
  });
}

}  // extern "C"
