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

/// PvmResvTids lifts the checks; what then has no receiver vanishes.
bool valid(State& state, int tid, int tag) {
  return state.options[PvmResvTids] == 1 || (is_task(tid) && tag >= 0);
}

/// The rank behind a tid, when such a process was ever there. Messages to others vanish, natively
/// too: the send has worked.
std::optional<Rank> receiver(State& state, int tid) {
  auto const rank = rank_of(tid);
  return rank && state.me.table().find(*rank) ? rank : std::nullopt;
}

Envelope envelope_of(State& state, int tag, MessageBuffer const& buffer) {
  return {.context = context_of_number(state.context()),
          .tag = Tag{tag},
          .mode = Mode::buffered,
          .encoding = buffer.encoding(),
          .word = static_cast<std::uint32_t>(buffer.wait_id)};
}

/// The buffer stays as it is and remembers where it went.
void mark_sent(State& state, MessageBuffer& buffer, int tid, int tag) {
  buffer.context = state.context();
  buffer.tag = tag;
  buffer.dest = tid;
  buffer.sent();
}

int send(State& state, int tid, int tag) {
  state.enroll();
  if (is_trace_record(tid, tag)) return PvmOk;
  if (!valid(state, tid, tag)) return PvmBadParam;
  auto* buffer = state.buffers.send();
  if (!buffer) return PvmNoBuf;
  if (auto const to = receiver(state, tid)) {
    Envelope envelope = envelope_of(state, tag, *buffer);
    envelope.dest = *to;
    state.me.send(envelope, buffer->contents());
  }
  mark_sent(state, *buffer, tid, tag);
  return PvmOk;
}

/// In the order given, each once, without the caller and without those that never were.
std::vector<Rank> receivers(State& state, std::span<int const> tids) {
  std::vector<Rank> ranks;
  for (int const tid : tids) {
    auto const rank = receiver(state, tid);
    if (!rank || *rank == state.me.rank()) continue;
    if (std::find(ranks.begin(), ranks.end(), *rank) == ranks.end()) ranks.push_back(*rank);
  }
  return ranks;
}

int multicast(State& state, int* tids, int count, int tag) {
  state.enroll();
  if (count < 0 || (count > 0 && !tids)) return PvmBadParam;
  std::span<int const> const to{tids, static_cast<std::size_t>(count)};
  bool const valid_all = tag >= 0 && std::all_of(to.begin(), to.end(), is_task);
  if (!valid_all && state.options[PvmResvTids] != 1) return PvmBadParam;
  auto* buffer = state.buffers.send();
  if (!buffer) return PvmNoBuf;
  state.me.send_to_all(receivers(state, to), envelope_of(state, tag, *buffer), buffer->contents());
  mark_sent(state, *buffer, 0, tag);
  return PvmOk;
}

/// Straight out of the program's memory, as raw bytes.
int pack_and_send(State& state, int tid, int tag, void* from, int count, int type) {
  state.enroll();
  if (type == PVM_STR) return PvmNotImpl;
  std::size_t const size = size_of(type);
  if (size == 0 || count < 0 || !valid(state, tid, tag)) return PvmBadParam;
  auto const to = receiver(state, tid);
  if (!to) return PvmOk;
  Bytes const bytes{static_cast<std::byte*>(from), size * static_cast<std::size_t>(count)};
  state.me.send({.dest = *to,
                 .context = context_of_number(state.context()),
                 .tag = Tag{tag},
                 .mode = Mode::buffered},
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
