// SPDX-License-Identifier: BSD-3-Clause
/// Native terms <-> generic terms, and nothing else.
#pragma once

#include <optional>

#include "frontends/pvm3/include/pvm3.h"
#include "generic/base/error.hpp"
#include "generic/base/id_table.hpp"
#include "generic/base/values.hpp"
#include "generic/message/match_spec.hpp"

namespace earl::pvm {

// A tid: bit 31 daemon, bit 30 multicast, bits 18-29 host from 1, bits 0-17 task from 1. The task
// part is the id's short name + 1, on any host: the first task of the first host is t40001,
// as in PVM, and no tid is used again soon.
inline constexpr int host_shift = 18;
inline constexpr int host_mask = 0x3ffc0000;
inline constexpr int local_mask = 0x3ffff;
inline constexpr int first_multicast = 0x40000000;

/// The sender's data format on amd64; ours always.
inline constexpr int data_signature = 0x00408c41;

/// The source of the virtual machine's own messages: in PVM the daemon's address.
inline constexpr int daemon_tid = static_cast<int>(0x80000000U);

/// The tid of the job's n-th host, from 0 (IdRow::visible_host).
constexpr int host_tid(std::uint32_t host) { return static_cast<int>(host + 1) << host_shift; }
/// The host in a tid, from 0. Null: the virtual machine itself, or nonsense.
constexpr std::optional<std::uint32_t> host_in(int tid) {
  if (tid < 0 || (tid & host_mask) == 0) return std::nullopt;
  return static_cast<std::uint32_t>((tid & host_mask) >> host_shift) - 1;
}

/// Has the form of a task's id, whether there is such a task or not.
constexpr bool is_task(int tid) {
  return tid > 0 && tid < first_multicast && (tid & local_mask) != 0;
}

constexpr int tid_on(std::uint32_t host, Rank id) {
  return host_tid(host) + static_cast<int>(short_name_of(id)) + 1;
}
/// The tid for a task's name in EXEC's services (see process_of()): a task that enrols again has
/// another tid.
inline int tid_of(IdTable const& table, Rank id) {
  if (id == exec_rank) return daemon_tid;
  auto const process = process_of(id);
  if (!table.given(process)) table.await(process);
  return tid_on(table.visible_host(process), id);
}

/// The name in EXEC's services of the task with that tid, if there is one.
inline Rank id_in(IdTable const& table, int tid) {
  return table.named(static_cast<std::uint32_t>((tid & local_mask) - 1));
}
/// Null: no task of this job can have that tid. There need not be such a process (yet).
inline std::optional<Rank> id_of(IdTable const& table, int tid) {
  if (!is_task(tid)) return std::nullopt;
  auto const id = id_in(table, tid);
  auto const* row = table.find(process_of(id));
  auto const known = row || table.count() == 0;
  if (known && *host_in(tid) != (row ? row->visible_host : 0)) return std::nullopt;
  return id;
}

// Envelope::word: bits 0-27 the wait id, then how often the sender had enrolled again, then the
// same of the receiver it was meant for.
inline constexpr int wait_id_bits = 28;

constexpr std::uint32_t word_of(int wait_id, Rank from, Rank to) {
  return (static_cast<std::uint32_t>(wait_id) & 0x0fff'ffff) | returns_of(from) << 28 |
         returns_of(to) << 30;
}
/// With a debugger that compares types, in place of a wait id of 0: those of a message, which are
/// no wait id that programs have.
inline constexpr std::uint32_t types_mark = 0x0800'0000;
inline constexpr std::uint32_t types_mask = 0x0f00'0000;
constexpr bool has_types(std::uint32_t word) { return (word & types_mask) == types_mark; }
/// ElementRuns::bits(); 0: unknown.
constexpr std::uint32_t types_in(std::uint32_t word) {
  return has_types(word) ? word & 0x00ff'ffff : 0;
}
constexpr int wait_id_of(std::uint32_t word) {
  if (has_types(word)) return 0;
  constexpr int spare = 32 - wait_id_bits;
  return static_cast<int>(word << spare) >> spare;
}
/// The sender's name in EXEC's services.
constexpr Rank sender_of(Envelope const& envelope) {
  if (number(envelope.source) < 0) return envelope.source;
  return id_after(envelope.source, envelope.word >> 28 & 3);
}
/// The receiver as of that return was meant.
constexpr std::uint32_t meant_return(Envelope const& envelope) { return envelope.word >> 30; }

// IdRow::flags: pvm_spawn()'s, then how often the parent had enrolled again.
inline constexpr std::uint32_t spawn_flags = 0x0fff'ffff;
inline constexpr int parent_returns_at = 28;

/// The name in EXEC's services of the parent of a spawned task.
inline Rank parent_of(IdRow const& row) {
  return id_after(Rank{row.parent}, row.flags >> parent_returns_at);
}

/// The variable in which a task's parent names the receiver of its output for EXEC.
inline constexpr char const* output_variable = "EARL_TELL_OUTPUT";
/// The options that pvm_catchout() sets, as in PVM; EXEC goes another way.
inline constexpr int caught_code = -2147287035;
inline constexpr int caught_number = 524287;

/// The receiver of the notice that a task whose output is caught has printed all.
inline constexpr Context caught_context = context_of(Space::front_end, 0x63'6174'6368);

/// PVM's context 0 is where all front ends meet.
constexpr Context context_of_number(int context) {
  return context_of(Space::user, static_cast<std::uint32_t>(context));
}
constexpr int number_of(Context context) {
  return static_cast<int>(static_cast<std::uint32_t>(id_of(context)));
}

/// The match spec of pvm_recv(tid, tag) in `context`. Selectors that nothing can fit are legal:
/// such a receive waits for ever, or finds nothing.
inline MatchSpec spec_of(IdTable const& table, int tid, int tag, int context) {
  MatchSpec spec;
  if (tid == daemon_tid) {
    spec.source = exec_rank;
  } else if (tid != -1) {
    if (auto const source = id_of(table, tid)) {
      spec.source = process_of(*source);
    } else {
      spec.source = no_rank;
      spec.nothing = true;
    }
  }
  if (tag < -1) spec.nothing = true;
  if (tag != -1) spec.tag = TagMatch::exactly(Tag{tag});
  if (context == -1) {
    spec.any_user_context = true;
  } else {
    spec.context = context_of_number(context);
  }
  return spec;
}

/// pvmminfo::enc of a message that has been received.
constexpr int signature_of(Encoding encoding) {
  switch (encoding) {
    case Encoding::xdr:
      return 0x10000000;
    case Encoding::trace:
      return 0x40000000;
    case Encoding::raw:
      break;
  }
  return data_signature;
}

constexpr int code_of(Fault fault) {
  switch (fault) {
    case Fault::bad_rank:
    case Fault::bad_tag:
    case Fault::bad_length:
    case Fault::bad_request:
      return PvmBadParam;
    case Fault::too_long:
      return PvmOverflow;
    case Fault::no_memory:
      return PvmNoMem;
    case Fault::not_found:
      return PvmNotFound;
    case Fault::denied:
      return PvmDenied;
    case Fault::full:
      return PvmOutOfRes;
    case Fault::no_job:
    case Fault::other:
      break;
  }
  return PvmSysErr;
}

}  // namespace earl::pvm
