// Receiving data. Every receive first frees the active receive buffer, also when nothing comes.
#include <sys/time.h>

#include <algorithm>
#include <chrono>

#include "frontends/pvm3/call.hpp"
#include "frontends/pvm3/descriptors.hpp"
#include "frontends/pvm3/typed_data.hpp"

namespace earl::pvm {

namespace {

MatchSpec wanted(State& state, int tid, int tag) { return spec_of(tid, tag, state.context()); }

/// The message becomes the active receive buffer; gives its number.
int accept(State& state, Message message) {
  int const id = state.buffers.taken(message.id);
  state.buffers.find(id)->arrive(std::move(message), state.tid());
  state.buffers.activate_receive(id);
  return id;
}

/// As receive() and try_receive(), past functions of the program's own.
int receive_kept(State& state, int tid, int tag, Deadline deadline) {
  int const id = state.reception.receive(state, tid, tag, deadline);
  if (id > 0) state.buffers.activate_receive(id);
  if (id == 0) ring_soon(state);
  return id;
}

int receive(State& state, int tid, int tag) {
  state.enroll();
  state.buffers.drop_received();
  if (state.reception.in_use()) return receive_kept(state, tid, tag, never);
  return accept(state, state.me.take(wanted(state, tid, tag)));
}

constexpr int nothing_there = 0;

int found_nothing(State& state) {
  ring_soon(state);
  return nothing_there;
}

int try_receive(State& state, int tid, int tag, Deadline deadline) {
  state.enroll();
  state.buffers.drop_received();
  if (state.reception.in_use()) return receive_kept(state, tid, tag, deadline);
  auto message = state.me.try_take(wanted(state, tid, tag), deadline);
  return message ? accept(state, std::move(*message)) : found_nothing(state);
}

/// Null: that is no time.
std::optional<Deadline> deadline_of(timeval const& timeout) {
  if (timeout.tv_sec < 0 || timeout.tv_usec < 0) return std::nullopt;
  if (timeout.tv_sec == 0 && timeout.tv_usec == 0) return Deadline{};
  constexpr long a_century = 3'000'000'000;
  if (timeout.tv_sec > a_century) return never;
  return Clock::now() + std::chrono::seconds{timeout.tv_sec} +
         std::chrono::microseconds{timeout.tv_usec};
}

int timed_receive(State& state, int tid, int tag, timeval const* timeout) {
  if (!timeout) return receive(state, tid, tag);
  auto const deadline = deadline_of(*timeout);
  return deadline ? try_receive(state, tid, tag, *deadline) : PvmBadParam;
}

int probe_kept(State& state, int tid, int tag) {
  int const id = state.reception.probe(state, tid, tag);
  return id == nothing_there ? found_nothing(state) : id;
}

/// Gives the buffer number that the receive of this very message will give.
int probe(State& state, int tid, int tag) {
  state.enroll();
  if (state.reception.in_use()) return probe_kept(state, tid, tag);
  auto const found = state.me.try_probe(wanted(state, tid, tag));
  if (!found) return found_nothing(state);
  int id = state.buffers.foreseen(found->id);
  if (id == 0) {
    id = state.buffers.make();
    state.buffers.foreseen(found->id, id);
  }
  auto& buffer = *state.buffers.find(id);
  buffer.foresee(found->envelope);
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
  // Of the whole message, also when it did not fit.
  if (to.bytes) *to.bytes = static_cast<int>(bytes);
}

/// Straight into the program's memory: the sender's bytes as they are, without conversion.
int receive_and_unpack(State& state, MatchSpec const& spec, Room room, Report const& to) {
  auto const done = state.me.receive(spec, Scatter{room});
  if (int const seen = state.buffers.foreseen(done.id)) state.buffers.free(seen);
  report(to, tid_of(done.envelope.source), number(done.envelope.tag), done.envelope.length);
  return PvmOk;
}

/// As receive_and_unpack(), of a message that was kept.
int unpack_kept(State& state, int tid, int tag, Room room, Report const& to) {
  int const id = state.reception.receive(state, tid, tag, never);
  if (id < 0) return id;
  auto const& buffer = *state.buffers.find(id);
  auto const bytes = buffer.bytes();
  copy(bytes.first(std::min(bytes.size(), room.size())), room);
  report(to, buffer.source, buffer.tag, bytes.size());
  state.buffers.free(id);
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
    if (size == 0 || nitem < 0) return PvmBadParam;
    Room const room{static_cast<std::byte*>(p), size * static_cast<std::size_t>(nitem)};
    pvm::Report const report{.tid = from, .tag = its_tag, .bytes = bytes};
    if (s.reception.in_use()) return pvm::unpack_kept(s, tid, tag, room, report);
    return pvm::receive_and_unpack(s, pvm::wanted(s, tid, tag), room, report);
  });
}

}  // extern "C"
