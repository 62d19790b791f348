// SPDX-License-Identifier: BSD-3-Clause
#include "frontends/pvm3/typed_data.hpp"

#include <algorithm>
#include <cstdlib>
#include <cstring>

#include "generic/packing.hpp"
#include "generic/system/heap.hpp"

namespace earl::pvm {

namespace {

// A long takes eight bytes in XDR: in PVM it loses its upper half on 64-bit machines, which no
// program can want.
Element element_of(Type type) {
  switch (type) {
    case Type::byte:
      return Element::byte;
    case Type::short_int:
      return Element::short_integer;
    case Type::unsigned_short:
      return Element::unsigned_short;
    case Type::integer:
      return Element::integer;
    case Type::unsigned_integer:
      return Element::unsigned_integer;
    case Type::long_int:
      return Element::long_integer;
    case Type::unsigned_long:
      return Element::unsigned_long;
    case Type::real:
      return Element::real;
    case Type::complex:
      return Element::complex;
    case Type::double_real:
      return Element::double_real;
    case Type::double_complex:
      return Element::double_complex;
  }
  return Element::byte;
}

/// Signed and unsigned ones are read alike, and so are the parts of complex numbers.
ElementKind kind_of(Type type) {
  switch (type) {
    case Type::byte:
      return ElementKind::byte;
    case Type::short_int:
    case Type::unsigned_short:
      return ElementKind::short_int;
    case Type::integer:
    case Type::unsigned_integer:
      return ElementKind::integer;
    case Type::long_int:
    case Type::unsigned_long:
      return ElementKind::long_int;
    case Type::real:
    case Type::complex:
      return ElementKind::real;
    case Type::double_real:
    case Type::double_complex:
      return ElementKind::double_real;
  }
  return ElementKind::unknown;
}

earl::Items generic(Items const& items) {
  return {.element = element_of(items.type),
          .count = static_cast<std::size_t>(items.count),
          .stride = items.stride};
}

int refer(MessageBuffer& into, void const* from, earl::Items const& items) {
  if (items.stride != 1) return PvmNotImpl;
  into.refer_to({static_cast<std::byte const*>(from), earl::packed_size(items, Encoding::raw)});
  return PvmOk;
}

}  // namespace

std::size_t size_of(int type) {
  if (type < PVM_BYTE || type > PVM_ULONG) return 0;
  return earl::size_of(element_of(static_cast<Type>(type)));
}

int pack(MessageBuffer* into, void const* from, Items items) {
  if (items.count < 0) return PvmBadParam;
  if (!into) return PvmNoBuf;
  auto const all = generic(items);
  if (items.count > 0) into->note_packed(kind_of(items.type));
  if (into->packing() == Packing::in_place) return refer(*into, from, all);
  if (items.count == 0) return PvmOk;
  auto const encoding = into->encoding();
  earl::pack(all, from, encoding, into->append(earl::packed_size(all, encoding)));
  return PvmOk;
}

int unpack(MessageBuffer* from, void* into, Items items) {
  if (items.count < 0) return PvmBadParam;
  if (!from) return PvmNoBuf;
  if (!from->readable()) return PvmBadMsg;
  if (items.count == 0) return PvmOk;
  from->note_unpacked(kind_of(items.type));
  auto const got = earl::unpack(generic(items), from->rest(), from->encoding(), into);
  from->next(got.bytes);
  if (got.all) return PvmOk;
  // The position stays at the end: later, smaller calls find no data either.
  from->skip_to_end();
  return PvmNoData;
}

int pack_text(MessageBuffer* into, char const* text) {
  if (!text) return PvmBadParam;
  if (!into) return PvmNoBuf;
  if (into->packing() == Packing::in_place) return PvmNotImpl;
  const std::string_view with_nul{text, std::strlen(text) + 1};
  into->note_packed(ElementKind::integer);
  into->note_packed(ElementKind::byte);
  auto const encoding = into->encoding();
  earl::pack(with_nul, encoding, into->append(earl::packed_size(with_nul, encoding)));
  return PvmOk;
}

namespace {

/// Gives the next string, its NUL with it, to `taken(std::string_view)`.
template <class Taken>
int unpack_text_with(MessageBuffer* from, Taken taken) {
  if (!from) return PvmNoBuf;
  if (!from->readable()) return PvmBadMsg;
  from->note_unpacked(ElementKind::integer);
  from->note_unpacked(ElementKind::byte);
  auto const got = earl::unpack_text(from->rest(), from->encoding());
  // A length that the message does not hold is no string; nothing of it may reach the program.
  if (!got) {
    from->skip_to_end();
    return PvmNoData;
  }
  int const result = taken(got->text);
  from->next(got->bytes);
  return result;
}

}  // namespace

int unpack_text(MessageBuffer* from, char* into) {
  if (!into) return PvmBadParam;
  return unpack_text_with(from, [&](std::string_view text) {
    std::copy(text.begin(), text.end(), into);
    return PvmOk;
  });
}

int unpack_allocated(MessageBuffer* from, char** into) {
  if (!into) return PvmBadParam;
  return unpack_text_with(from, [&](std::string_view text) {
    *into = static_cast<char*>(heap::program_malloc(text.size() + 1));
    if (!*into) return PvmNoMem;
    *std::copy(text.begin(), text.end(), *into) = '\0';
    return PvmOk;
  });
}

}  // namespace earl::pvm
