// SPDX-License-Identifier: BSD-3-Clause
#include "frontends/pvm3/state.hpp"

#include <unistd.h>

#include <array>
#include <cstring>
#include <sstream>

#include "exec/runtime/boot.hpp"
#include "exec/runtime/session.hpp"
#include "frontends/pvm3/environment.hpp"
#include "frontends/pvm3/machine.hpp"
#include "generic/exec_client.hpp"

namespace earl::pvm {

namespace {

std::size_t const slot = new_slot();

/// Programs of the time read variables that they never set (frsg of pvm-examples), and with PVM
/// find zeros there, because nothing has used the stack before main().
[[gnu::noinline]] void clean_stack() {
  std::array<std::byte, std::size_t{48} * 1024> room;
  explicit_bzero(room.data(), room.size());
}

// Before main(), so that the process is known to the job before the program can start anything.
[[gnu::constructor]] void load() {
  boot::load(
      "pvm3",
      "a task that a master spawns comes to one that way: start the master, or `earl run -n N` "
      "for N tasks at once");
  clean_stack();
}

std::string own_host_name() {
  char name[256] = {};
  return gethostname(name, sizeof name - 1) == 0 ? name : "localhost";
}

HostList hosts_of(State& state) {
  if (!alone(state))
    if (auto list = state.me.exec().hosts(); !list.hosts.empty()) return list;
  return {.hosts = {{.name = own_host_name()}}};
}

}  // namespace

State& state_of(Process& me) { return me.state<State>(slot); }

State::State(Process& process) : me(process) {
  options[PvmShowTids] = 1;
  for (auto& mask : trace_masks) mask.fill('@');
  for (auto& mask : trace_masks) mask.back() = '\0';
  // A spawned task starts in the context its parent was in.
  if (auto const* mine = row()) {
    set_context(static_cast<int>(mine->label));
    host_ = mine->visible_host;
    if (mine->parent >= 0) inherit_output();
  }
}

void State::inherit_output() {
  std::istringstream fields{variable(output_variable)};
  int to = 0;
  int code = 0;
  std::uint64_t context = 0;
  if (!(fields >> to >> context >> code)) return;
  options[PvmOutputTid] = options[PvmSelfOutputTid] = tid_of(Rank{to});
  options[PvmOutputCode] = options[PvmSelfOutputCode] = code;
  options[PvmOutputContext] = options[PvmSelfOutputContext] = number_of(Context{context});
}

VirtualMachine& State::machine() {
  if (!machine_) machine_ = std::make_unique<VirtualMachine>(hosts_of(*this), host_);
  return *machine_;
}

int State::enroll() {
  int& own = me.cell(pvmmytid);
  if (own <= 0) [[unlikely]]
    come_back();
  own = tid();
  if (filtered.in_use()) [[unlikely]]
    filtered.drain(*this);
  return tid();
}

/// A lone task looks for a virtual machine when it enrols, and not later: there it would have
/// another id than the program knows. Any request makes EXEC count it as present again, as a new
/// task.
void State::come_back() {
  bool const joins = alone(*this) && boot::join_session("pvm3");
  if (left_) returns_ = one_more(returns_);
  if (joins) send_prior_returns(*this);
  if (exec_counts_ && !joins) me.exec().processes();
}

/// Messages of EXEC and of other front ends do not name their receiver.
bool State::stale(Envelope const& envelope) const {
  if (!left_ || meant_return(envelope) == returns_) return false;
  auto const* sender = me.table().find(envelope.source);
  bool const task = sender ? front_end_of(*sender) == "pvm3" : me.table().given(envelope.source);
  return envelope.source == me.rank() || task;
}

/// Messages for the leaving task are dropped; if it enrols again it must not find them.
void State::clear_messages() {
  MatchSpec everything;
  everything.any_user_context = true;
  while (auto const message = me.try_take(everything)) buffers.free(buffers.taken(message->id));
  buffers.leave();
}

/// Groups, mailbox entries and notices see the task's end here.
void State::leave() {
  if (!enrolled()) return;
  filtered.clear(*this);
  try {
    me.exec().retire();
    exec_counts_ = true;
  } catch (Error const& error) {
    if (error.fault() != Fault::no_job) throw;  // alone, there is no task to notify
  }
  clear_messages();
  contexts.clear();
  left_ = true;
  me.cell(pvmmytid) = -1;
  // In PVM, too, it is back in the context that it was spawned in.
  if (auto const* mine = row(); mine && mine->parent >= 0)
    set_context(static_cast<int>(mine->label));
}

}  // namespace earl::pvm
