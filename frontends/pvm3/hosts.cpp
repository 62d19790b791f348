// The virtual machine: its hosts, its start and end. It is as large as the job, and made by EXEC.
#include <sys/time.h>

#include <chrono>
#include <csignal>
#include <string>

#include "frontends/pvm3/call.hpp"

namespace earl::pvm {

namespace {

bool is_here(State& state, std::string_view host) {
  return host == "." || host == state.host().name;
}

int host_status(State& state, char const* host) {
  if (!host || !*host) return PvmBadParam;
  return is_here(state, host) ? PvmOk : PvmNoHost;
}

int config(State& state, int* nhost, int* narch, pvmhostinfo** hosts) {
  state.enroll();
  if (nhost) *nhost = 1;
  if (narch) *narch = 1;
  if (hosts) *hosts = &state.host().info;
  return PvmOk;
}

int architecture_code(State& state, char const* architecture) {
  if (!architecture) return PvmBadParam;
  return architecture == state.host().architecture ? data_signature : PvmNotFound;
}

/// The hosts of a job are settled when it starts.
int add_hosts(State& state, char** hosts, int count, int* results) {
  if (count < 1 || !hosts) return PvmBadParam;
  state.enroll();
  for (int i = 0; i < count; ++i) {
    int const result = hosts[i] && is_here(state, hosts[i]) ? PvmDupHost : PvmCantStart;
    if (results) results[i] = result;
  }
  return 0;
}

int delete_hosts(State& state, char** hosts, int count, int* results) {
  if (count < 1 || !hosts) return PvmBadParam;
  state.enroll();
  for (int i = 0; i < count; ++i) {
    // The host that EXEC is on cannot leave, as natively the master's cannot.
    int const result = hosts[i] && is_here(state, hosts[i]) ? PvmBadParam : PvmNoHost;
    if (results) results[i] = result;
  }
  return 0;
}

timeval time_of(std::chrono::microseconds time) {
  constexpr std::int64_t second = 1'000'000;
  return {.tv_sec = time.count() / second, .tv_usec = time.count() % second};
}

/// There is one host, so its clock is the caller's.
int host_sync(State& state, int host, timeval* clock, timeval* delta) {
  if ((host & host_mask) != host_tid) return PvmNoHost;
  state.enroll();
  std::chrono::nanoseconds const now{state.me.clock() + state.host().clock_origin};
  if (clock) *clock = time_of(std::chrono::duration_cast<std::chrono::microseconds>(now));
  if (delta) *delta = {};
  return PvmOk;
}

/// Every task gets SIGTERM, the caller too.
int halt(State& state) {
  state.enroll();
  auto const present = state.me.processes();
  auto const& table = state.me.table();
  for (std::uint32_t n = 0; n < table.count(); ++n) {
    auto const rank = Rank{static_cast<std::int32_t>(n)};
    bool const task = present.id_of(rank) && front_end_of(*table.find(rank)) == "pvm3";
    if (task && rank != state.me.rank()) state.me.signal({.target = rank, .signal = SIGTERM});
  }
  state.me.signal({.target = state.me.rank(), .signal = SIGTERM});
  return PvmOk;
}

/// Says why a routine that only makes sense with PVM's own daemons refuses.
[[gnu::always_inline]] inline int refuse(char const* name, char const* reason) {
  note_stub();
  return quiet_call(name, [&](State& state) {
    if (state.me.cell(pvmautoerr) != 0) state.me.say(line_about(state, name, reason));
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
  return pvm::call("pvm_archcode", [&](pvm::State& s) { return pvm::architecture_code(s, arch); });
}

int pvm_addhosts(char** hosts, int nhost, int* infos) {
  return pvm::call("pvm_addhosts",
                   [&](pvm::State& s) { return pvm::add_hosts(s, hosts, nhost, infos); });
}

int pvm_delhosts(char** hosts, int nhost, int* infos) {
  return pvm::call("pvm_delhosts",
                   [&](pvm::State& s) { return pvm::delete_hosts(s, hosts, nhost, infos); });
}

int pvm_hostsync(int host, struct timeval* clk, struct timeval* delta) {
  return pvm::call("pvm_host_sync",  // sic
                   [&](pvm::State& s) { return pvm::host_sync(s, host, clk, delta); });
}

int pvm_halt(void) {
  return pvm::call("pvm_halt", [](pvm::State& s) { return pvm::halt(s); });
}

/// A virtual machine is there already: whoever can call this is a task.
int pvm_start_pvmd(int, char**, int) {
  return pvm::call("pvm_start_pvmd", [](pvm::State& s) {
    s.enroll();
    return PvmDupHost;
  });
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
