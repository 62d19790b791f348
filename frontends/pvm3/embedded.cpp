// SPDX-License-Identifier: BSD-3-Clause
#include "frontends/pvm3/embedded.hpp"

#include <array>
#include <utility>

#include "frontends/pvm3/typed_data.hpp"

namespace earl::pvm {

namespace {

constexpr int header_length = 8;
using HeaderInts = std::array<int, header_length>;

int check(State& state, int id) {
  if (id <= 0 || id == state.buffers.send_id()) return PvmBadParam;
  if (!state.buffers.find(id)) return PvmNoSuchBuf;
  return state.buffers.send() ? PvmOk : PvmNoBuf;
}

/// Data in place is copied: an embedded message does not refer to the program's memory.
Buffer body_of(MessageBuffer const& buffer) { return Buffer{buffer.contents()}; }

bool in_place(MessageBuffer const& buffer) { return buffer.packing() == Packing::in_place; }

HeaderInts header_of(MessageBuffer const& buffer, std::size_t length) {
  return {static_cast<int>(length),
          buffer.context,
          buffer.tag,
          buffer.wait_id,
          signature_of(buffer.encoding()),
          0,
          buffer.source,
          buffer.dest};
}

Encoding encoding_of(int signature) {
  for (auto const one : {Encoding::xdr, Encoding::trace})
    if (signature_of(one) == signature) return one;
  return Encoding::raw;
}

Message message_of(HeaderInts const& header, Buffer body) {
  Message message;
  message.envelope = {.context = context_of_number(header[1]),
                      .tag = Tag{header[2]},
                      .length = body.size(),
                      .encoding = encoding_of(header[4]),
                      .word = static_cast<std::uint32_t>(header[3])};
  message.body = std::move(body);
  return message;
}

int append(MessageBuffer const& inner, MessageBuffer& outer) {
  Buffer const body = body_of(inner);
  HeaderInts const header = header_of(inner, body.size());
  pack(&outer, header.data(), {.type = Type::integer, .count = header_length});
  int const length = static_cast<int>(body.size());
  pack(&outer, &length, {.type = Type::integer, .count = 1});
  return pack(&outer, body.data(), {.type = Type::byte, .count = length});
}

}  // namespace

int embed(State& state, int id) {
  int const verdict = check(state, id);
  if (verdict != PvmOk) return verdict;
  auto const& inner = *state.buffers.find(id);
  auto& outer = *state.buffers.send();
  if (!in_place(outer)) return append(inner, outer);
  MessageBuffer flat;
  flat.start(Packing::raw, 0);
  int const result = append(inner, flat);
  outer.note_packed(ElementKind::unknown);
  outer.refer_to_copy(flat.bytes());
  return result;
}

int embed_body(State& state, int id) {
  int const verdict = check(state, id);
  if (verdict != PvmOk) return verdict;
  auto const& inner = *state.buffers.find(id);
  auto& outer = *state.buffers.send();
  if (inner.encoding() != outer.encoding() || in_place(inner) != in_place(outer))
    return PvmMismatch;
  Buffer const body = body_of(inner);
  outer.note_packed(ElementKind::unknown);
  if (in_place(outer)) {
    outer.refer_to_copy(body.bytes());
  } else {
    outer.append(body.bytes());
  }
  return PvmOk;
}

int unembed(State& state) {
  auto* outer = state.buffers.receive();
  HeaderInts header{};
  int length = 0;
  int result = unpack(outer, header.data(), {.type = Type::integer, .count = header_length});
  if (result == PvmOk) result = unpack(outer, &length, {.type = Type::integer, .count = 1});
  if (result != PvmOk) return result;
  if (length < 0 || static_cast<std::size_t>(length) > outer->left()) return PvmNoData;
  Buffer body(static_cast<std::size_t>(length));
  unpack(outer, body.data(), {.type = Type::byte, .count = length});
  int const id = state.buffers.make();
  auto& buffer = *state.buffers.find(id);
  buffer.arrive(message_of(header, std::move(body)), header[6], header[7]);
  return id;
}

}  // namespace earl::pvm
