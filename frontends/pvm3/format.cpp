// SPDX-License-Identifier: BSD-3-Clause
// The formatted forms of packing and unpacking: pvm_packf, pvm_unpackf.
#include <algorithm>
#include <cctype>
#include <cstdarg>
#include <cstring>
#include <span>

#include "frontends/pvm3/call.hpp"
#include "frontends/pvm3/message_calls.hpp"
#include "frontends/pvm3/typed_data.hpp"

namespace earl::pvm {

namespace {

/// The program's arguments, taken one by one.
struct Arguments {
  va_list list;

  explicit Arguments(va_list from) { va_copy(list, from); }
  ~Arguments() { va_end(list); }
  Arguments(Arguments const&) = delete;
  Arguments& operator=(Arguments const&) = delete;

  int integer() { return va_arg(list, int); }
  long long_integer() { return va_arg(list, long); }
  double number() { return va_arg(list, double); }
  void* address() { return va_arg(list, void*); }
};

/// One %-item of a format: % [count] [.stride] [hlu...] letter.
struct Item {
  char letter = 0;
  bool plain = true;  ///< neither count nor stride: when packing, the argument is the value
  int count = 1;
  int stride = 1;
  bool is_short = false;
  bool is_long = false;
  bool is_unsigned = false;

  /// Less than none is none here; pvm_pkint() and its like refuse it.
  int count_or_none() const { return std::max(count, 0); }
};

int number_at(char const*& at, Arguments& arguments) {
  if (*at == '*') {
    ++at;
    return arguments.integer();
  }
  int value = 0;
  for (; std::isdigit(static_cast<unsigned char>(*at)); ++at) value = value * 10 + (*at - '0');
  return value;
}

bool starts_number(char c) { return c == '*' || std::isdigit(static_cast<unsigned char>(c)); }

/// Reads the rest of an item after its '%'.
Item item_at(char const*& at, Arguments& arguments) {
  Item item;
  if (starts_number(*at)) {
    item.count = number_at(at, arguments);
    item.plain = false;
  }
  if (*at == '.') {
    item.stride = number_at(++at, arguments);
    item.plain = false;
  }
  for (; *at == 'h' || *at == 'l' || *at == 'u'; ++at) {
    item.is_short |= *at == 'h';
    item.is_long |= *at == 'l';
    item.is_unsigned |= *at == 'u';
  }
  item.letter = *at;
  if (*at) ++at;
  return item;
}

Type integer_type(Item const& item) {
  if (item.is_short) return item.is_unsigned ? Type::unsigned_short : Type::short_int;
  if (item.is_long) return item.is_unsigned ? Type::unsigned_long : Type::long_int;
  return item.is_unsigned ? Type::unsigned_integer : Type::integer;
}

/// Null: not a letter for numbers or bytes.
std::optional<Type> type_of(Item const& item) {
  switch (item.letter) {
    case 'c':
      return Type::byte;
    case 'd':
      return integer_type(item);
    case 'f':
      return item.is_long ? Type::double_real : Type::real;
    case 'x':
      return item.is_long ? Type::double_complex : Type::complex;
    default:
      return std::nullopt;
  }
}

bool in_place(MessageBuffer const* into) { return into && into->packing() == Packing::in_place; }

template <class T>
int pack_one(MessageBuffer* into, Type type, T value) {
  if (!in_place(into)) return pack(into, &value, {.type = type, .count = 1});
  into->refer_to_copy(bytes_of(value));
  return PvmOk;
}

/// In place pvm_pkstr() refuses strings, this does not.
int pack_string(MessageBuffer* into, char const* text) {
  if (!in_place(into) || !text) return pack_text(into, text);
  auto const size = std::strlen(text) + 1;
  int const result = pack_one(into, Type::integer, static_cast<int>(size));
  into->refer_to(std::as_bytes(std::span{text, size}));
  return result;
}

int pack_value(MessageBuffer* into, Type type, Arguments& arguments) {
  switch (type) {
    case Type::byte:
      return pack_one(into, type, static_cast<char>(arguments.integer()));
    case Type::short_int:
    case Type::unsigned_short:
      return pack_one(into, type, static_cast<short>(arguments.integer()));
    case Type::long_int:
    case Type::unsigned_long:
      return pack_one(into, type, arguments.long_integer());
    case Type::real:
      return pack_one(into, type, static_cast<float>(arguments.number()));
    case Type::double_real:
      return pack_one(into, type, arguments.number());
    default:
      return pack_one(into, type, arguments.integer());
  }
}

int pack_item(MessageBuffer* into, Item const& item, Arguments& arguments) {
  if (item.letter == 's') return pack_string(into, static_cast<char const*>(arguments.address()));
  auto const type = type_of(item);
  if (!type) return PvmBadParam;
  bool const by_value = item.plain && item.letter != 'x';
  if (by_value) return pack_value(into, *type, arguments);
  return pack(into, arguments.address(),
              {.type = *type, .count = item.count_or_none(), .stride = item.stride});
}

int unpack_item(MessageBuffer* from, Item const& item, Arguments& arguments) {
  if (item.letter == 's') return unpack_text(from, static_cast<char*>(arguments.address()));
  auto const type = type_of(item);
  if (!type) return PvmBadParam;
  return unpack(from, arguments.address(),
                {.type = *type, .count = item.count_or_none(), .stride = item.stride});
}

/// Calls `work(item)` for each %-item until one fails; text between them does not count.
template <class Work>
int each_item(char const* format, Arguments& arguments, Work work) {
  int result = PvmOk;
  while (*format && result == PvmOk) {
    if (*format++ == '%') result = work(item_at(format, arguments));
  }
  return result;
}

int pack_formatted(State& state, char const* format, va_list list) {
  if (!format) return PvmBadParam;
  Arguments arguments(list);
  if (format[0] == '%' && format[1] == '+') {
    int const buffer = through(state, "pvm_initsend", init_send(state, arguments.integer()));
    if (buffer < 0) return buffer;
    format += 2;
  }
  if (!state.buffers.send()) return PvmNoBuf;
  return each_item(format, arguments, [&](Item const& item) {
    return pack_item(state.buffers.send(), item, arguments);
  });
}

int unpack_formatted(State& state, char const* format, va_list list) {
  if (!format) return PvmBadParam;
  if (!state.buffers.receive()) return PvmNoBuf;
  Arguments arguments(list);
  return each_item(format, arguments, [&](Item const& item) {
    return unpack_item(state.buffers.receive(), item, arguments);
  });
}

}  // namespace

}  // namespace earl::pvm

using namespace earl;

extern "C" {

int pvm_packf(char const* format, ...) {
  va_list list;
  va_start(list, format);
  int const result =
      pvm::call("pvm_packf", [&](pvm::State& s) { return pvm::pack_formatted(s, format, list); });
  va_end(list);
  return result;
}

int pvm_vpackf(char const* format, va_list list) {
  return pvm::call("pvm_vpackf",
                   [&](pvm::State& s) { return pvm::pack_formatted(s, format, list); });
}

int pvm_unpackf(char const* format, ...) {
  va_list list;
  va_start(list, format);
  int const result = pvm::call(
      "pvm_unpackf", [&](pvm::State& s) { return pvm::unpack_formatted(s, format, list); });
  va_end(list);
  return result;
}

int pvm_vunpackf(char const* format, va_list list) {
  return pvm::call("pvm_vunpackf",
                   [&](pvm::State& s) { return pvm::unpack_formatted(s, format, list); });
}

}  // extern "C"
