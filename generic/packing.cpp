// SPDX-License-Identifier: BSD-3-Clause
#include "generic/packing.hpp"

#include <algorithm>
#include <bit>
#include <cstring>
#include <type_traits>

#include "generic/base/byte_order.hpp"

namespace earl {

namespace {

/// The XDR form of one unit of C type T.
template <class T>
using XdrUnit = std::conditional_t<sizeof(T) == 8, std::uint64_t, std::uint32_t>;

template <class T>
XdrUnit<T> to_xdr(T value) {
  if constexpr (std::is_floating_point_v<T>)
    return big_endian(std::bit_cast<XdrUnit<T>>(value));
  else
    return big_endian(static_cast<XdrUnit<T>>(value));
}

template <class T>
T from_xdr(XdrUnit<T> wire) {
  if constexpr (std::is_floating_point_v<T>)
    return std::bit_cast<T>(big_endian(wire));
  else
    return static_cast<T>(big_endian(wire));
}

/// Where the units lie in the program's memory: a complex number has two.
struct Strided {
  std::size_t count = 0;
  std::ptrdiff_t step = 1;  ///< units from one element to the next
  std::ptrdiff_t units = 1;

  std::size_t all() const { return count * static_cast<std::size_t>(units); }
  bool dense() const { return step == units; }
  /// The elements in memory order, units of `size` bytes.
  Pattern pattern(std::size_t size) const {
    return Pattern::of_blocks(size * static_cast<std::size_t>(units), count,
                              step * static_cast<std::ptrdiff_t>(size));
  }
  /// Calls visit(position of the unit in the program's memory), at most `most` times.
  template <class Visit>
  void each(std::size_t most, Visit visit) const {
    auto const end = static_cast<std::ptrdiff_t>(most);
    if (dense()) {
      for (std::ptrdiff_t at = 0; at < end; ++at) visit(at);
      return;
    }
    std::ptrdiff_t element = 0;
    for (std::ptrdiff_t n = 0, unit = 0; n < end; ++n) {
      visit(element + unit);
      if (++unit < units) continue;
      unit = 0;
      element += step;
    }
  }
};

constexpr std::size_t padded(std::size_t size) { return (size + 3) & ~std::size_t{3}; }

/// Calls work<C type of a unit>(layout).
template <class Work>
auto with_type(Items const& items, Work work) {
  const Strided single{.count = items.count, .step = items.stride};
  const Strided pairs{.count = items.count, .step = 2 * items.stride, .units = 2};
  switch (items.element) {
    case Element::byte:
      break;
    case Element::short_integer:
      return work.template operator()<short>(single);
    case Element::unsigned_short:
      return work.template operator()<unsigned short>(single);
    case Element::integer:
      return work.template operator()<int>(single);
    case Element::unsigned_integer:
      return work.template operator()<unsigned>(single);
    case Element::long_integer:
      return work.template operator()<long>(single);
    case Element::unsigned_long:
      return work.template operator()<unsigned long>(single);
    case Element::logical:
      return work.template operator()<std::int32_t>(single);
    case Element::real:
      return work.template operator()<float>(single);
    case Element::double_real:
      return work.template operator()<double>(single);
    case Element::complex:
      return work.template operator()<float>(pairs);
    case Element::double_complex:
      return work.template operator()<double>(pairs);
  }
  return work.template operator()<char>(single);
}

template <class T>
void pack_raw(T const* from, Strided const& layout, std::byte* to) {
  if (layout.dense()) {
    std::memcpy(to, from, layout.all() * sizeof(T));
    return;
  }
  auto const pattern = layout.pattern(sizeof(T));
  pattern.copy_out(reinterpret_cast<std::byte const*>(from), 0, to, pattern.size());
}

template <class T>
void pack_xdr(T const* from, Strided const& layout, std::byte* to) {
  if constexpr (sizeof(T) == 1) {
    pack_raw(from, layout, to);
    std::memset(to + layout.all(), 0, padded(layout.all()) - layout.all());
  } else {
    layout.each(layout.all(), [&](std::ptrdiff_t at) {
      auto const wire = to_xdr(from[at]);
      std::memcpy(to, &wire, sizeof wire);
      to += sizeof wire;
    });
  }
}

template <class T>
Unpacked unpack_raw(Bytes from, Strided const& layout, T* into) {
  const std::size_t units = std::min(layout.all(), from.size() / sizeof(T));
  auto const* wire = from.data();
  if (layout.dense()) {
    if (units != 0) std::memcpy(into, wire, units * sizeof(T));
  } else {
    layout.pattern(sizeof(T)).copy_in(reinterpret_cast<std::byte*>(into), 0, wire,
                                      units * sizeof(T));
  }
  return {units * sizeof(T), units == layout.all()};
}

template <class T>
Unpacked unpack_xdr(Bytes from, Strided const& layout, T* into) {
  if constexpr (sizeof(T) == 1) {
    Unpacked done = unpack_raw(from, layout, into);
    if (done.all) done.bytes = std::min(padded(done.bytes), from.size());
    return done;
  } else {
    const std::size_t units = std::min(layout.all(), from.size() / sizeof(XdrUnit<T>));
    auto const* wire = from.data();
    layout.each(units, [&](std::ptrdiff_t at) {
      XdrUnit<T> unit;
      std::memcpy(&unit, wire, sizeof unit);
      into[at] = from_xdr<T>(unit);
      wire += sizeof unit;
    });
    return {units * sizeof(XdrUnit<T>), units == layout.all()};
  }
}

Items length_of_text() { return {.element = Element::integer, .count = 1}; }
Items bytes_of_text(std::size_t size) { return {.element = Element::byte, .count = size}; }

}  // namespace

std::size_t size_of(Element element) {
  return packed_size({.element = element, .count = 1}, Encoding::raw);
}

std::size_t packed_size(Items const& items, Encoding encoding) {
  return with_type(items, [&]<class T>(Strided const& layout) {
    if (encoding != Encoding::xdr) return layout.all() * sizeof(T);
    return sizeof(T) == 1 ? padded(layout.all()) : layout.all() * sizeof(XdrUnit<T>);
  });
}

void pack(Items const& items, void const* from, Encoding encoding, MutableBytes to) {
  if (items.count == 0) return;
  with_type(items, [&]<class T>(Strided const& layout) {
    auto const* elements = static_cast<T const*>(from);
    if (encoding == Encoding::xdr)
      pack_xdr(elements, layout, to.data());
    else
      pack_raw(elements, layout, to.data());
  });
}

Unpacked unpack(Items const& items, Bytes from, Encoding encoding, void* into) {
  return with_type(items, [&]<class T>(Strided const& layout) {
    auto* const elements = static_cast<T*>(into);
    return encoding == Encoding::xdr ? unpack_xdr(from, layout, elements)
                                     : unpack_raw(from, layout, elements);
  });
}

std::size_t packed_size(std::string_view text, Encoding encoding) {
  return packed_size(length_of_text(), encoding) +
         packed_size(bytes_of_text(text.size()), encoding);
}

void pack(std::string_view text, Encoding encoding, MutableBytes to) {
  auto const length = static_cast<int>(text.size());
  pack(length_of_text(), &length, encoding, to);
  pack(bytes_of_text(text.size()), text.data(), encoding,
       to.subspan(packed_size(length_of_text(), encoding)));
}

std::optional<UnpackedText> unpack_text(Bytes from, Encoding encoding) {
  int length = 0;
  const Unpacked head = unpack(length_of_text(), from, encoding, &length);
  const Bytes rest = from.subspan(head.bytes);
  if (!head.all || length < 0 || static_cast<std::size_t>(length) > rest.size())
    return std::nullopt;
  auto const size = static_cast<std::size_t>(length);
  const std::size_t read = std::min(packed_size(bytes_of_text(size), encoding), rest.size());
  return UnpackedText{{reinterpret_cast<char const*>(rest.data()), size}, head.bytes + read};
}

}  // namespace earl
