// SPDX-License-Identifier: BSD-3-Clause
// Message buffers.
#include "frontends/pvm3/call.hpp"
#include "frontends/pvm3/message_calls.hpp"

namespace earl::pvm {

namespace {

bool is_encoding(int encoding) {
  return encoding == PvmDataDefault || encoding == PvmDataRaw || encoding == PvmDataInPlace ||
         encoding == PvmDataTrace;
}

int make_buffer(State& state, int encoding) {
  if (!is_encoding(encoding)) return PvmBadParam;
  int const id = state.buffers.make();
  state.buffers.find(id)->start(static_cast<Packing>(encoding), state.tid());
  return id;
}

int free_buffer(State& state, int id) {
  if (id < 0) return PvmBadParam;
  if (id == 0) return PvmOk;
  if (!state.buffers.find(id)) return PvmNoSuchBuf;
  state.buffers.free(id);
  return PvmOk;
}

/// May `id` become an active buffer?
int check_activation(State& state, int id) {
  if (id < 0) return PvmBadParam;
  return id == 0 || state.buffers.find(id) ? PvmOk : PvmNoSuchBuf;
}

pvmminfo describe(MessageBuffer const& buffer) {
  return {.len = static_cast<int>(buffer.length()),
          .ctx = buffer.context,
          .tag = buffer.tag,
          .wid = buffer.wait_id,
          .enc = buffer.signature(),
          .crc = 0,
          .src = buffer.source,
          .dst = buffer.dest};
}

void change(MessageBuffer& buffer, pvmminfo const& info) {
  buffer.context = info.ctx;
  buffer.tag = info.tag;
  buffer.wait_id = info.wid;
  buffer.source = info.src;
  buffer.dest = info.dst;
}

/// Runs `work` on buffer `id` of the caller.
template <class Work>
int with_buffer(State& state, int id, Work work) {
  if (id <= 0) return PvmBadParam;
  auto* buffer = state.buffers.find(id);
  if (!buffer) return PvmNoSuchBuf;
  work(*buffer);
  return PvmOk;
}

}  // namespace

int init_send(State& state, int encoding) {
  int const id = through(state, "pvm_mkbuf", make_buffer(state, encoding));
  if (id < 0) return id;
  if (state.buffers.send()) state.buffers.free(state.buffers.send_id());
  state.buffers.activate_send(id);
  return id;
}

}  // namespace earl::pvm

using namespace earl;

extern "C" {

int pvm_mkbuf(int encoding) {
  return pvm::call("pvm_mkbuf", [&](pvm::State& s) { return pvm::make_buffer(s, encoding); });
}

int pvm_initsend(int encoding) {
  return pvm::call("pvm_initsend", [&](pvm::State& s) { return pvm::init_send(s, encoding); });
}

int pvm_freebuf(int bufid) {
  return pvm::call("pvm_freebuf", [&](pvm::State& s) { return pvm::free_buffer(s, bufid); });
}

int pvm_getsbuf(void) {
  return pvm::call("pvm_getsbuf", [](pvm::State& s) { return s.buffers.send_id(); });
}

int pvm_getrbuf(void) {
  return pvm::call("pvm_getrbuf", [](pvm::State& s) { return s.buffers.receive_id(); });
}

int pvm_setsbuf(int bufid) {
  return pvm::call("pvm_setsbuf", [&](pvm::State& s) {
    int const verdict = pvm::check_activation(s, bufid);
    return verdict != PvmOk ? verdict : s.buffers.activate_send(bufid);
  });
}

int pvm_setrbuf(int bufid) {
  return pvm::call("pvm_setrbuf", [&](pvm::State& s) {
    int const verdict = pvm::check_activation(s, bufid);
    return verdict != PvmOk ? verdict : s.buffers.activate_receive(bufid);
  });
}

int pvm_bufinfo(int bufid, int* bytes, int* tag, int* tid) {
  return pvm::call("pvm_bufinfo", [&](pvm::State& s) {
    return pvm::with_buffer(s, bufid, [&](pvm::MessageBuffer& buffer) {
      if (bytes) *bytes = static_cast<int>(buffer.length());
      if (tag) *tag = buffer.tag;
      if (tid) *tid = buffer.source;
    });
  });
}

int pvm_getminfo(int bufid, struct pvmminfo* info) {
  return pvm::call("pvm_getminfo", [&](pvm::State& s) -> int {
    if (!info) return PvmBadParam;
    return pvm::with_buffer(s, bufid,
                            [&](pvm::MessageBuffer& buffer) { *info = pvm::describe(buffer); });
  });
}

int pvm_setminfo(int bufid, struct pvmminfo* info) {
  return pvm::call("pvm_setminfo", [&](pvm::State& s) -> int {
    if (!info) return PvmBadParam;
    return pvm::with_buffer(s, bufid,
                            [&](pvm::MessageBuffer& buffer) { pvm::change(buffer, *info); });
  });
}

}  // extern "C"
