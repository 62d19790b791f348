// SPDX-License-Identifier: BSD-3-Clause
// Receiving data. Every receive first frees the active receive buffer, also when nothing comes.
#include <sys/time.h>

#include <algorithm>
#include <chrono>

#include "frontends/pvm3/call.hpp"
#include "frontends/pvm3/descriptors.hpp"
#include "frontends/pvm3/typed_data.hpp"

namespace earl::pvm {

namespace {

MatchSpec wanted(State& state, int tid, int tag) {
  return spec_of(state.me.table(), tid, tag, state.context());
}

/// The message becomes the active receive buffer; gives its number.
int accept(State& state, Message message) {
  int const id = state.buffers.taken(message.id);
  int const from = state.tid_of(sender_of(message.envelope));
  auto& buffer = *state.buffers.find(id);
  MessageId const origin = message.id;
  std::uint32_t const word = message.envelope.word;
  buffer.arrive(std::move(message), from, state.tid());
  if (auto* const watch = state.me.debugger(); watch && watch->compares_types()) [[unlikely]]
    buffer.compare_types(*watch, origin, word);
  state.buffers.activate_receive(id);
  state.failed_looks = 0;
  return id;
}

/// The core matches processes. Whether this message is of the task that was asked for, and meant
/// for this one: either may have left and enrolled again.
bool is_wanted(State& state, Envelope const& envelope, int tid) {
  return (tid == -1 || tid == state.tid_of(sender_of(envelope))) && !state.stale(envelope);
}

/// Like receive() and try_receive(), past functions of the program's own.
int receive_kept(State& state, int tid, int tag, Deadline deadline) {
  int const id = state.filtered.receive(state, tid, tag, deadline);
  if (id > 0) state.buffers.activate_receive(id);
  if (id > 0) state.failed_looks = 0;
  if (id == 0) ring_soon(state);
  return id;
}

int receive(State& state, int tid, int tag) {
  state.enroll();
  state.buffers.drop_received();
  if (state.filtered.in_use()) return receive_kept(state, tid, tag, never);
  auto message = state.me.take(wanted(state, tid, tag));
  if (is_wanted(state, message.envelope, tid)) [[likely]]
    return accept(state, std::move(message));
  state.filtered.put_back(state, std::move(message));
  return receive_kept(state, tid, tag, never);
}

int found_nothing(State& state) {
  ring_soon(state);
  return nothing_there;
}

int try_receive(State& state, int tid, int tag, Deadline deadline) {
  state.enroll();
  state.buffers.drop_received();
  if (state.filtered.in_use()) return receive_kept(state, tid, tag, deadline);
  auto message = state.me.try_take(wanted(state, tid, tag), deadline);
  if (!message) return found_nothing(state);
  if (is_wanted(state, message->envelope, tid)) [[likely]]
    return accept(state, std::move(*message));
  state.filtered.put_back(state, std::move(*message));
  return receive_kept(state, tid, tag, deadline);
}

/// Less than no time is none.
Deadline deadline_of(Process& me, timeval const& timeout) {
  if (timeout.tv_sec < 0 || timeout.tv_usec < 0) return Deadline{};
  if (timeout.tv_sec == 0 && timeout.tv_usec == 0) return Deadline{};
  constexpr long a_century = 3'000'000'000;
  if (timeout.tv_sec > a_century) return never;
  return me.now() + std::chrono::seconds{timeout.tv_sec} +
         std::chrono::microseconds{timeout.tv_usec};
}

int timed_receive(State& state, int tid, int tag, timeval const* timeout) {
  if (!timeout) return receive(state, tid, tag);
  return try_receive(state, tid, tag, deadline_of(state.me, *timeout));
}

int probe_kept(State& state, int tid, int tag) {
  int const id = state.filtered.probe(state, tid, tag);
  return id == nothing_there ? found_nothing(state) : id;
}

/// Returns the buffer number that the receive of this very message will give.
int probe(State& state, int tid, int tag) {
  state.enroll();
  if (state.filtered.in_use()) return probe_kept(state, tid, tag);
  auto const found = state.me.try_probe(wanted(state, tid, tag));
  if (!found) return found_nothing(state);
  if (!is_wanted(state, found->envelope, tid)) [[unlikely]]
    return probe_kept(state, tid, tag);
  int id = state.buffers.probed(found->id);
  if (id == 0) {
    id = state.buffers.make();
    state.buffers.note_probed(found->id, id);
  }
  auto& buffer = *state.buffers.find(id);
  buffer.describe(found->envelope, state.tid_of(sender_of(found->envelope)));
  buffer.dest = state.tid();
  return id;
}

/// Where pvm_precv() reports to; any may be null.
struct Report {
  int* tid;
  int* tag;
  int* bytes;
};

void report(Report const& to, int tid, int tag, std::size_t bytes) {
  if (to.tid) *to.tid = tid;
  if (to.tag) *to.tag = tag;
  // The length of the whole message, also when it did not fit.
  if (to.bytes) *to.bytes = static_cast<int>(bytes);
}

/// The same for a message that was kept.
int unpack_kept(State& state, int tid, int tag, MutableBytes room, Report const& to) {
  int const id = state.filtered.receive(state, tid, tag, never);
  if (id < 0) return id;
  auto const& buffer = *state.buffers.find(id);
  auto const bytes = buffer.bytes();
  copy(bytes.first(std::min(bytes.size(), room.size())), room);
  report(to, buffer.source, buffer.tag, bytes.size());
  state.buffers.free(id);
  return PvmOk;
}

/// Data in the program's memory was not requested.
void put_back(State& state, Completion const& done, MutableBytes room) {
  Bytes const came = Bytes{room}.first(std::min<std::size_t>(room.size(), done.envelope.length));
  state.filtered.put_back(state,
                          {.envelope = done.envelope, .id = done.id, .body = Buffer{Gather{came}}});
}

/// Straight into the program's memory: the sender's bytes as they are, without conversion.
int receive_and_unpack(State& state, int tid, int tag, MutableBytes room, Report const& to) {
  auto const done = state.me.receive(wanted(state, tid, tag), Scatter{room});
  if (done.lost)
    throw Error("task t{:x} ended before its message had been read",
                state.tid_of(done.envelope.source));
  if (!is_wanted(state, done.envelope, tid)) [[unlikely]] {
    put_back(state, done, room);
    return unpack_kept(state, tid, tag, room, to);
  }
  if (int const seen = state.buffers.probed(done.id)) state.buffers.free(seen);
  report(to, state.tid_of(sender_of(done.envelope)), number(done.envelope.tag),
         done.envelope.length);
  return PvmOk;
}

}  // namespace

}  // namespace earl::pvm

using namespace earl;

extern "C" {

int pvm_recv(int tid, int tag) {
  return pvm::call("pvm_recv", [&](pvm::State& s) { return pvm::receive(s, tid, tag); });
}

int pvm_nrecv(int tid, int tag) {
  return pvm::call("pvm_nrecv",
                   [&](pvm::State& s) { return pvm::try_receive(s, tid, tag, Deadline{}); });
}

int pvm_trecv(int tid, int tag, struct timeval* timeout) {
  return pvm::call("pvm_trecv",
                   [&](pvm::State& s) { return pvm::timed_receive(s, tid, tag, timeout); });
}

int pvm_probe(int tid, int tag) {
  return pvm::call("pvm_probe", [&](pvm::State& s) { return pvm::probe(s, tid, tag); });
}

int pvm_precv(int tid, int tag, void* p, int nitem, int type, int* from, int* its_tag, int* bytes) {
  return pvm::call("pvm_precv", [&](pvm::State& s) -> int {
    s.enroll();
    if (type == PVM_STR) return PvmNotImpl;
    std::size_t const size = pvm::size_of(type);
    if (size == 0) return PvmBadParam;
    MutableBytes const room{static_cast<std::byte*>(p),
                            size * static_cast<std::size_t>(std::max(nitem, 0))};
    pvm::Report const report{.tid = from, .tag = its_tag, .bytes = bytes};
    if (s.filtered.in_use()) return pvm::unpack_kept(s, tid, tag, room, report);
    return pvm::receive_and_unpack(s, tid, tag, room, report);
  });
}

}  // extern "C"
