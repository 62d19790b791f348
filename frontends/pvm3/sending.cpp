// SPDX-License-Identifier: BSD-3-Clause
// Sending data. All sends are buffered: no program may depend on the receiver to get on.
#include <algorithm>
#include <vector>

#include "frontends/pvm3/call.hpp"
#include "frontends/pvm3/typed_data.hpp"

namespace earl::pvm {

namespace {

// Where programs send records of their own for a tracer. There is none: they vanish.
constexpr int trace_tid = -1111;
constexpr int trace_tag = -2222;

bool is_trace_record(int tid, int tag) { return tid == trace_tid && tag == trace_tag; }

/// PvmResvTids lifts the checks; a message without a receiver vanishes then.
bool valid(State& state, int tid, int tag) {
  return state.options[PvmResvTids] == 1 || (is_task(tid) && tag >= 0);
}

/// The task's name in EXEC's services, if there ever was such a process. Messages to others vanish,
/// as in PVM: the send has succeeded.
std::optional<Rank> receiver(State& state, int tid) {
  auto const id = state.id_of(tid);
  bool const exists = id && state.me.table().exists(process_of(*id), state.me.rank());
  return exists ? id : std::nullopt;
}

/// The wait id, or what a debugger has in its place.
int wait_id_for(State& state, MessageBuffer const& buffer) {
  auto* const watch = state.me.debugger();
  auto const types = buffer.packed().bits();
  if (!watch || buffer.wait_id != 0 || types == 0 || !watch->compares_types()) [[likely]]
    return buffer.wait_id;
  return static_cast<int>(types_mark | types);
}

Envelope envelope_of(State& state, Rank to, int tag, MessageBuffer const& buffer) {
  return {.dest = process_of(to),
          .context = context_of_number(state.context()),
          .tag = Tag{tag},
          .mode = Mode::buffered,
          .encoding = buffer.encoding(),
          .word = word_of(wait_id_for(state, buffer), state.id(), to)};
}

/// The buffer stays as it is and remembers where it went.
void mark_sent(State& state, MessageBuffer& buffer, int tid, int tag) {
  buffer.context = state.context();
  buffer.tag = tag;
  buffer.dest = tid;
}

int send(State& state, int tid, int tag) {
  state.enroll();
  if (is_trace_record(tid, tag)) return PvmOk;
  if (!valid(state, tid, tag)) return PvmBadParam;
  auto* buffer = state.buffers.send();
  if (!buffer) return PvmNoBuf;
  if (auto const to = receiver(state, tid))
    state.me.send(envelope_of(state, *to, tag, *buffer), buffer->contents());
  mark_sent(state, *buffer, tid, tag);
  return PvmOk;
}

/// In the order given, each once, without the caller and without those that never were.
std::vector<Rank> receivers(State& state, std::span<int const> tids) {
  std::vector<Rank> ids;
  for (int const tid : tids) {
    auto const id = receiver(state, tid);
    if (!id || *id == state.id()) continue;
    if (std::find(ids.begin(), ids.end(), *id) == ids.end()) ids.push_back(*id);
  }
  return ids;
}

/// One message for all that have enrolled again equally often, which it says.
void send_to_all(State& state, std::vector<Rank> ids, int tag, MessageBuffer const& buffer) {
  for (auto first = ids.begin(); first != ids.end();) {
    auto const one = *first;
    auto const last = std::stable_partition(
        first, ids.end(), [one](Rank id) { return returns_of(id) == returns_of(one); });
    std::transform(first, last, first, process_of);
    state.me.send_to_all({first, last}, envelope_of(state, one, tag, buffer), buffer.contents());
    first = last;
  }
}

int multicast(State& state, int* tids, int count, int tag) {
  state.enroll();
  auto* buffer = state.buffers.send();
  if (!buffer) return PvmNoBuf;
  if (count < 0 || (count > 0 && !tids)) return PvmBadParam;
  std::span<int const> const to{tids, static_cast<std::size_t>(count)};
  bool const valid_all = tag >= 0 && std::all_of(to.begin(), to.end(), is_task);
  if (!valid_all && state.options[PvmResvTids] != 1) return PvmBadParam;
  send_to_all(state, receivers(state, to), tag, *buffer);
  mark_sent(state, *buffer, 0, tag);
  return PvmOk;
}

/// Straight out of the program's memory, as raw bytes; less than none are complained of, and none.
int pack_and_send(State& state, int tid, int tag, void* from, int count, int type) {
  state.enroll();
  if (type == PVM_STR) return PvmNotImpl;
  std::size_t const size = size_of(type);
  if (size == 0) return PvmBadParam;
  if (!valid(state, tid, tag)) return through(state, "pvm_send", PvmBadParam);
  if (count < 0) failed(state, "pvm_pkbyte", PvmBadParam);
  auto const to = receiver(state, tid);
  if (!to) return PvmOk;
  Bytes const bytes{static_cast<std::byte*>(from),
                    size * static_cast<std::size_t>(std::max(count, 0))};
  state.me.send({.dest = process_of(*to),
                 .context = context_of_number(state.context()),
                 .tag = Tag{tag},
                 .mode = Mode::buffered,
                 .word = word_of(0, state.id(), *to)},
                Gather{bytes});
  return PvmOk;
}

}  // namespace

}  // namespace earl::pvm

using namespace earl;

extern "C" {

int pvm_send(int tid, int tag) {
  return pvm::call("pvm_send", [&](pvm::State& s) { return pvm::send(s, tid, tag); });
}

int pvm_mcast(int* tids, int ntask, int tag) {
  return pvm::call("pvm_mcast", [&](pvm::State& s) { return pvm::multicast(s, tids, ntask, tag); });
}

int pvm_psend(int tid, int tag, void* p, int nitem, int type) {
  return pvm::call("pvm_psend",
                   [&](pvm::State& s) { return pvm::pack_and_send(s, tid, tag, p, nitem, type); });
}

}  // extern "C"
