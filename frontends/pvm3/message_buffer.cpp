// SPDX-License-Identifier: BSD-3-Clause
#include "frontends/pvm3/message_buffer.hpp"

#include <algorithm>
#include <utility>

namespace earl::pvm {

namespace {

Packing packing_of(Encoding encoding) {
  switch (encoding) {
    case Encoding::xdr:
      return Packing::xdr;
    case Encoding::trace:
      return Packing::trace;
    case Encoding::raw:
      break;
  }
  return Packing::raw;
}

int unsent_signature(Packing packing) {
  switch (packing) {
    case Packing::xdr:
      return 0x10000000;
    case Packing::in_place:
      return 0x20000000;
    case Packing::trace:
      return 0x40000000;
    case Packing::raw:
      break;
  }
  return data_signature;
}

}  // namespace

char const* to_text(ElementKind kind) {
  switch (kind) {
    case ElementKind::byte:
      return "byte";
    case ElementKind::short_int:
      return "short";
    case ElementKind::integer:
      return "int";
    case ElementKind::long_int:
      return "long";
    case ElementKind::real:
      return "float";
    case ElementKind::double_real:
      return "double";
    case ElementKind::unknown:
      break;
  }
  return "unknown elements";
}

/// Once for a message: what follows is read at another place than it was packed at.
void MessageBuffer::compare(ElementKind kind) {
  auto const sent = sent_.run(unpacked_.count() - 1);
  if (sent == kind) return;
  if (sent != ElementKind::unknown)
    watch_->mistyped({.id = id_, .sent = to_text(sent), .received = to_text(kind)});
  watch_ = nullptr;
}

Encoding MessageBuffer::encoding() const {
  switch (packing_) {
    case Packing::xdr:
      return Encoding::xdr;
    case Packing::trace:
      return Encoding::trace;
    case Packing::raw:
    case Packing::in_place:
      break;
  }
  return Encoding::raw;
}

void MessageBuffer::start(Packing packing, int owner) {
  packing_ = packing;
  signature_ = unsent_signature(packing);
  source = owner;
}

void MessageBuffer::describe(Envelope const& envelope, int from) {
  context = number_of(envelope.context);
  tag = number(envelope.tag);
  wait_id = wait_id_of(envelope.word);
  source = from;
  packing_ = packing_of(envelope.encoding);
  signature_ = signature_of(envelope.encoding);
  probed_length_ = envelope.length;
}

void MessageBuffer::arrive(Message message, int from, int to) {
  describe(message.envelope, from);
  dest = to;
  probed_length_ = 0;
  body_.adopt(std::move(message.body));
  unpacking_ = true;
}

void MessageBuffer::clear() {
  context = tag = wait_id = source = dest = 0;
  unpacking_ = false;
  body_.clear();
  pieces_.clear();
  copies_.clear();
  cursor_ = probed_length_ = 0;
  packed_ = sent_ = unpacked_ = {};
  watch_ = nullptr;
}

std::size_t MessageBuffer::length() const {
  if (packing_ == Packing::in_place) return 0;
  return probed_length_ != 0 ? probed_length_ : body_.size();
}

Gather MessageBuffer::contents() const {
  if (packing_ == Packing::in_place) return Gather{std::span{pieces_}};
  return Gather{body_.bytes()};
}

void MessageBuffer::unpack_mode() {
  if (!unpacking_) cursor_ = 0;
  unpacking_ = true;
}

Bytes MessageBuffer::next(std::size_t size) {
  Bytes const piece = body_.bytes().subspan(cursor_, size);
  cursor_ += size;
  return piece;
}

}  // namespace earl::pvm
