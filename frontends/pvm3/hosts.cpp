// SPDX-License-Identifier: BSD-3-Clause
// The virtual machine: its hosts, its start and end. It is as large as the job, and made by EXEC.
#include <sys/time.h>

#include <chrono>
#include <csignal>
#include <span>

#include "frontends/pvm3/call.hpp"
#include "frontends/pvm3/machine.hpp"
#include "generic/exec_client.hpp"

namespace earl::pvm {

namespace {

int host_status(State& state, char const* host) {
  if (!host || !*host) return PvmBadParam;
  return state.machine().find(host) ? PvmOk : PvmNoHost;
}

int config(State& state, int* nhost, int* narch, pvmhostinfo** hosts) {
  state.enroll();
  auto& infos = state.machine().infos();
  if (nhost) *nhost = static_cast<int>(infos.size());
  if (narch) *narch = 1;
  if (hosts) *hosts = infos.data();
  return PvmOk;
}

int architecture_code(char const* name) {
  if (!name) return PvmBadParam;
  return name == architecture ? data_signature : PvmNotFound;
}

/// Each gets `known` if it is a host of the job, else `unknown`. The hosts of a job are fixed
/// when it starts: none is added or deleted.
int answer_for_each(State& state, std::span<char*> hosts, int* results, int known, int unknown) {
  if (hosts.empty()) return PvmBadParam;
  state.enroll();
  for (auto const* host : hosts)
    if (results) *results++ = host && state.machine().find(host) ? known : unknown;
  return 0;
}

std::span<char*> list_of(char** hosts, int count) {
  return {hosts, hosts && count > 0 ? static_cast<std::size_t>(count) : 0};
}

timeval time_of(std::chrono::microseconds time) {
  constexpr std::int64_t second = 1'000'000;
  return {.tv_sec = time.count() / second, .tv_usec = time.count() % second};
}

/// The hosts' times of day are taken to agree.
int host_sync(State& state, int host, timeval* clock, timeval* delta) {
  state.enroll();
  if (!state.machine().find(host)) return PvmNoHost;
  auto const origin = state.machine().clock_origin(state.host());
  std::chrono::nanoseconds const now{state.me.clock() + origin};
  if (clock) *clock = time_of(std::chrono::duration_cast<std::chrono::microseconds>(now));
  if (delta) *delta = {};
  return PvmOk;
}

/// Every task gets SIGTERM, the caller too. A virtual machine that outlives them ends, too.
int halt(State& state) {
  need_machine(state);
  if (state.me.exec().signal({.target = exec_rank, .signal = SIGTERM}).known) return PvmOk;
  auto const present = state.me.exec().processes();
  auto const& table = state.me.table();
  table.each([&](Rank rank, IdRow const& row) {
    bool const task = present.id_of(rank) && front_end_of(row) == "pvm3";
    if (task && rank != state.me.rank())
      state.me.exec().signal({.target = rank, .signal = SIGTERM});
  });
  state.me.exec().signal({.target = state.me.rank(), .signal = SIGTERM});
  return PvmOk;
}

/// Says why a routine that only makes sense with PVM's own daemons refuses.
[[gnu::always_inline]] inline int refuse(char const* name, char const* reason) {
  note_stub();
  return quiet_call(name, [&](State& state) {
    if (state.me.cell(pvmautoerr) != 0) state.me.print_line(line_about(state, name, reason));
    return state.me.cell(pvm_errno) = PvmNotImpl;
  });
}

constexpr auto exec_does_it = "EXEC starts tasks here; there is no daemon to do it for";

}  // namespace

}  // namespace earl::pvm

using namespace earl;

extern "C" {

int pvm_config(int* nhost, int* narch, struct pvmhostinfo** hosts) {
  return pvm::call("pvm_config",
                   [&](pvm::State& s) { return pvm::config(s, nhost, narch, hosts); });
}

int pvm_mstat(char* host) {
  return pvm::quiet_call("pvm_mstat", [&](pvm::State& s) {
    int const status = pvm::host_status(s, host);
    return status == PvmBadParam ? pvm::failed(s, "pvm_mstat", status) : status;
  });
}

int pvm_tidtohost(int tid) { return tid & pvm::host_mask; }

int pvm_archcode(char* arch) {
  return pvm::call("pvm_archcode", [&](pvm::State&) { return pvm::architecture_code(arch); });
}

int pvm_addhosts(char** hosts, int nhost, int* infos) {
  return pvm::call("pvm_addhosts", [&](pvm::State& s) {
    return pvm::answer_for_each(s, pvm::list_of(hosts, nhost), infos, PvmDupHost, PvmCantStart);
  });
}

/// No host can leave, as the master's cannot in PVM.
int pvm_delhosts(char** hosts, int nhost, int* infos) {
  return pvm::call("pvm_delhosts", [&](pvm::State& s) {
    return pvm::answer_for_each(s, pvm::list_of(hosts, nhost), infos, PvmBadParam, PvmNoHost);
  });
}

int pvm_hostsync(int host, struct timeval* clk, struct timeval* delta) {
  return pvm::call("pvm_host_sync",  // sic
                   [&](pvm::State& s) { return pvm::host_sync(s, host, clk, delta); });
}

int pvm_halt(void) {
  return pvm::call("pvm_halt", [](pvm::State& s) { return pvm::halt(s); });
}

/// Where a task has been started by EXEC, the virtual machine is there already.
int pvm_start_pvmd(int, char**, int) {
  return pvm::call("pvm_start_pvmd",
                   [](pvm::State& s) { return pvm::need_machine(s) ? PvmOk : PvmDupHost; });
}

int pvm_reg_hoster(void) { return pvm::refuse("pvm_reg_hoster()", pvm::exec_does_it); }
int pvm_reg_tasker(void) { return pvm::refuse("pvm_reg_tasker()", pvm::exec_does_it); }
int pvm_reg_rm(struct pvmhostinfo**) {
  return pvm::refuse("pvm_reg_rm()", "EXEC places tasks here; no other resource manager can");
}
int pvm_reg_tracer(int, int, int, int, char*, int, int) {
  return pvm::refuse("pvm_reg_tracer()", "Earl traces by itself: `earl record`");
}

}  // extern "C"
