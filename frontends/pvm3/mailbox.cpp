// SPDX-License-Identifier: BSD-3-Clause
// Mailbox: entries of the job's store that hold whole messages.
#include <algorithm>
#include <string_view>

#include "frontends/pvm3/call.hpp"
#include "frontends/pvm3/machine.hpp"
#include "frontends/pvm3/pattern.hpp"
#include "frontends/pvm3/typed_data.hpp"
#include "generic/exec_client.hpp"

namespace earl::pvm {

namespace {

/// A message with all that pvm_recvinfo() gives back of it.
struct StoredMessage {
  int context = 0;
  int tag = 0;
  int wait_id = 0;
  int source = 0;
  int dest = 0;
  std::uint32_t encoding = 0;
  Buffer body{};

  template <class Self, class Visit>
  static void fields(Self& self, Visit& visit) {
    visit(self.context, self.tag, self.wait_id, self.source, self.dest, self.encoding, self.body);
  }
};

std::string sealed(MessageBuffer const& buffer) {
  Writer to;
  to(StoredMessage{.context = buffer.context,
                   .tag = buffer.tag,
                   .wait_id = buffer.wait_id,
                   .source = buffer.source,
                   .dest = buffer.dest,
                   .encoding = static_cast<std::uint32_t>(buffer.encoding()),
                   .body = Buffer{buffer.contents()}});
  auto const bytes = to.bytes();
  return {reinterpret_cast<char const*>(bytes.data()), bytes.size()};
}

/// The number of a new buffer that holds it.
int opened(State& state, std::string const& data) {
  auto stored = Reader{std::as_bytes(std::span{data})}.get<StoredMessage>();
  Message message;
  message.envelope.context = context_of_number(stored.context);
  message.envelope.tag = Tag{stored.tag};
  message.envelope.word = static_cast<std::uint32_t>(stored.wait_id);
  message.envelope.encoding = static_cast<Encoding>(stored.encoding & 3);
  message.envelope.length = stored.body.size();
  message.body = std::move(stored.body);
  int const id = state.buffers.make();
  auto& buffer = *state.buffers.find(id);
  buffer.arrive(std::move(message), stored.source, stored.dest);
  return id;
}

int code_of(StoreFault fault) {
  switch (fault) {
    case StoreFault::none:
      return PvmOk;
    case StoreFault::not_found:
      return PvmNotFound;
    case StoreFault::denied:
      break;
  }
  return PvmDenied;
}

int result_of(StoreAnswer const& answer) {
  return answer.fault == StoreFault::none ? answer.index : code_of(answer.fault);
}

bool has(int flags, int flag) { return (flags & flag) != 0; }

/// PvmMboxDirectIndexOf() of a non-negative flags word.
int index_in(int flags) { return flags >> PvmMboxDirectIndexShift & ((1 << 21) - 1); }

int put(State& state, char const* name, int bufid, int flags) {
  if (!name || !*name || bufid < 0 || flags < 0) return PvmBadParam;
  auto const* buffer = state.buffers.find(bufid);
  if (!buffer) return bufid == 0 ? PvmBadParam : PvmNoSuchBuf;
  need_machine(state);
  return result_of(state.me.exec().put_entry({.name = name,
                                              .index = index_in(flags),
                                              .several = has(flags, PvmMboxMultiInstance),
                                              .overwritable = has(flags, PvmMboxOverWritable),
                                              .persistent = has(flags, PvmMboxPersistent),
                                              .word = static_cast<std::uint32_t>(flags),
                                              .data = sealed(*buffer)}));
}

int receive(State& state, char const* name, int index, int flags) {
  if (!name || !*name || index < 0) return PvmBadParam;
  need_machine(state);
  auto const answer = state.me.exec().get_entry({.name = name,
                                                 .index = index,
                                                 .first = has(flags, PvmMboxFirstAvail),
                                                 .remove = has(flags, PvmMboxReadAndDelete),
                                                 .wait = has(flags, PvmMboxWaitForInfo)});
  if (answer.fault != StoreFault::none) return code_of(answer.fault);
  state.buffers.drop_received();
  int const id = opened(state, answer.data);
  state.buffers.activate_receive(id);
  return id;
}

/// Exactly that entry, ignoring the flags, as in PVM.
int remove(State& state, char const* name, int index) {
  if (!name || !*name || index < 0) return PvmBadParam;
  need_machine(state);
  return result_of(state.me.exec().get_entry({.name = name, .index = index, .remove = true}));
}

void add(State& state, StoreEntry const& entry) {
  auto& list = state.mailbox;
  if (list.classes.empty() || list.classes.back().name != entry.name)
    list.classes.push_back({.name = entry.name});
  auto& last = list.classes.back();
  last.indices.push_back(entry.index);
  last.owners.push_back(entry.owner == no_rank ? 0 : state.tid_of(entry.owner));
  last.flags.push_back(static_cast<int>(entry.word));
}

int list(State& state, char const* pattern, int* count, pvmmboxinfo** classes) {
  need_machine(state);
  auto& list = state.mailbox;
  list = {};
  for (auto const& entry : state.me.exec().entries().entries)
    if (!entry.name.starts_with(context_class) && fits(entry.name, pattern ? pattern : ""))
      add(state, entry);
  for (auto& one : list.classes)
    list.rows.push_back({.mi_name = one.name.data(),
                         .mi_nentries = static_cast<int>(one.indices.size()),
                         .mi_indices = one.indices.data(),
                         .mi_owners = one.owners.data(),
                         .mi_flags = one.flags.data()});
  if (count) *count = static_cast<int>(list.rows.size());
  if (classes) *classes = list.rows.data();
  return PvmOk;
}

// --- The older name service: an entry is one number.

std::string sealed_number(int number, int owner) {
  MessageBuffer buffer;
  buffer.start(Packing::xdr, owner);
  pack(&buffer, &number, {.type = Type::integer, .count = 1});
  return sealed(buffer);
}

int insert(State& state, char const* name, int index, int data) {
  if (!name || !*name || index < -1) return PvmBadParam;
  need_machine(state);
  return result_of(state.me.exec().put_entry({.name = name,
                                              .index = std::max(index, 0),
                                              .several = index == -1,
                                              .unique = true,
                                              .persistent = true,
                                              .word = PvmMboxMultiInstance | PvmMboxPersistent,
                                              .data = sealed_number(data, state.tid())}));
}

int lookup(State& state, char const* name, int index, int* data) {
  if (!name || !*name || index < -1) return PvmBadParam;
  need_machine(state);
  auto const answer =
      state.me.exec().get_entry({.name = name, .index = std::max(index, 0), .first = index == -1});
  if (answer.fault != StoreFault::none) return code_of(answer.fault);
  int const id = opened(state, answer.data);
  int number = 0;
  auto* buffer = state.buffers.find(id);
  buffer->unpack_mode();
  int const result = unpack(buffer, &number, {.type = Type::integer, .count = 1});
  state.buffers.free(id);
  if (result == PvmOk && data) *data = number;
  return result == PvmOk ? answer.index : result;
}

bool is_quiet(int code) { return code == PvmDenied || code == PvmNotFound || code == PvmExists; }

/// Like call(); an entry that does not exist or is another task's is an ordinary answer.
template <class Body>
[[gnu::always_inline]] inline int mailbox_call(char const* name, Body&& body) {
  return quiet_call(name, [&](State& state) {
    int const result = body(state);
    if (is_quiet(result)) state.me.cell(pvm_errno) = result;
    return result < 0 && !is_quiet(result) ? failed(state, name, result) : result;
  });
}

}  // namespace

}  // namespace earl::pvm

using namespace earl;

extern "C" {

int pvm_putinfo(char* name, int bufid, int flags) {
  return pvm::mailbox_call("pvm_putinfo",
                           [&](pvm::State& s) { return pvm::put(s, name, bufid, flags); });
}

int pvm_recvinfo(char* name, int index, int flags) {
  return pvm::mailbox_call("pvm_recvinfo",
                           [&](pvm::State& s) { return pvm::receive(s, name, index, flags); });
}

int pvm_delinfo(char* name, int index, int) {
  return pvm::mailbox_call("pvm_delinfo",
                           [&](pvm::State& s) { return pvm::remove(s, name, index); });
}

int pvm_getmboxinfo(char* pattern, int* nclasses, struct pvmmboxinfo** classes) {
  return pvm::mailbox_call("pvm_getmboxinfo",
                           [&](pvm::State& s) { return pvm::list(s, pattern, nclasses, classes); });
}

int pvm_insert(char* name, int req, int data) {
  return pvm::mailbox_call("pvm_insert",
                           [&](pvm::State& s) { return pvm::insert(s, name, req, data); });
}

int pvm_lookup(char* name, int req, int* datap) {
  return pvm::mailbox_call("pvm_lookup",
                           [&](pvm::State& s) { return pvm::lookup(s, name, req, datap); });
}

int pvm_delete(char* name, int req) {
  return pvm::mailbox_call("pvm_delete", [&](pvm::State& s) { return pvm::remove(s, name, req); });
}

}  // extern "C"
