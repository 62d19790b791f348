// SPDX-License-Identifier: BSD-3-Clause
/// PVM's state per task, attached to its Process.
#pragma once

#include <array>
#include <cstdio>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "frontends/pvm3/buffer_table.hpp"
#include "frontends/pvm3/exported_data.hpp"
#include "frontends/pvm3/filtered_messages.hpp"
#include "frontends/pvm3/virtual_machine.hpp"
#include "generic/process.hpp"

namespace earl::pvm {

/// One answer of pvm_getmboxinfo(); valid until the next one.
struct MailboxList {
  struct Class {
    std::string name;
    std::vector<int> indices{};
    std::vector<int> owners{};
    std::vector<int> flags{};
  };
  std::vector<Class> classes{};
  std::vector<pvmmboxinfo> rows{};
};

/// One answer of pvm_tasks(); valid until the next one.
struct TaskList {
  std::vector<std::string> programs;
  std::vector<pvmtaskinfo> tasks;
};

class State final : public Extension {
 public:
  explicit State(Process& process);
  void report_unreleased(Interceptor& debugger) override { buffers.report(debugger); }

  Process& me;
  BufferTable buffers{me.call()};
  std::array<int, PvmNoReset + 1> options{};          ///< by option number; some live elsewhere
  std::array<std::array<char, 36>, 2> trace_masks{};  ///< by PvmTaskSelf, PvmTaskChild
  std::set<int> contexts{};                           ///< made by this task and not freed
  int contexts_made = 0;
  TaskList tasks{};
  MailboxList mailbox{};
  std::vector<int> siblings{};
  std::vector<int> no_resets{};
  FilteredMessages filtered{};
  std::FILE* catch_file = nullptr;  ///< pvm_catchout()'s, for tasks spawned from now on
  std::vector<Rank> caught{};       ///< tasks whose output goes to such a file, and may go on
  int daemon_debug_mask = 0;        ///< pvm_tickle()'s, which changes nothing
  std::array<char, 1024> text{};    ///< the last that a call gave; valid until the next one
  int bell = -1;                    ///< the descriptor of pvm_getfds(), once there is one
  int failed_looks = 0;             ///< for messages, since one was there

  /// The first call that needs PVM enrols. Says this task's id.
  int enroll();
  /// Asked of EXEC at first use, so that a replay sees the hosts of the recording.
  VirtualMachine& machine();
  /// This task's own, from 0.
  std::uint32_t host() const { return host_; }
  bool enrolled() { return me.cell(pvmmytid) > 0; }
  void leave();
  /// Has left and enrolled again: as in PVM, it has no parent from then on.
  bool returned() { return left_ && enrolled(); }
  /// This task's name in EXEC's services.
  Rank id() const { return id_after(me.rank(), returns_); }
  int tid() const { return tid_on(host_, id()); }
  int tid_of(Rank id) const { return pvm::tid_of(me.table(), id); }
  /// Like pvm::id_of().
  std::optional<Rank> id_of(int tid) const { return pvm::id_of(me.table(), tid); }
  /// Sent to the task that this process was before it enrolled again.
  bool stale(Envelope const& envelope) const;

  int context() { return me.cell(pvmmyctx); }
  void set_context(int context) { me.cell(pvmmyctx) = context; }

  /// The id table's row of this task; null in a job of one.
  IdRow const* row() const { return me.table().find(me.rank()); }

 private:
  void inherit_output();
  void come_back();
  void clear_messages();

  std::unique_ptr<VirtualMachine> machine_;
  std::uint32_t host_ = 0;
  bool left_ = false;  ///< once at least
  std::uint32_t returns_ = 0;
  bool exec_counts_ = false;  ///< there is an EXEC that knows it
};

State& state_of(Process& me);

}  // namespace earl::pvm
