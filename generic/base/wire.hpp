// SPDX-License-Identifier: BSD-3-Clause
/// Conversion of values to bytes in requests to EXEC, in its answers and in messages of the control
/// channel. A message is a struct that lists its fields once:
///
///     template <class Self, class Visit>
///     static void fields(Self& self, Visit& visit) {
///       visit(self.name, limited(self.ranks, 100, "ranks"));
///     }
///
/// A Writer visits them to put them into bytes, a Reader to take them out. Fields are numbers,
/// flags, text, owned bytes, ids, other messages, lists of strings, and what clamped(), checked()
/// and limited() wrap. A message may have `void validate() const`, which throws Error; it is called
/// when all fields have been read.
#pragma once

#include <algorithm>
#include <concepts>
#include <cstdint>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "generic/base/bytes.hpp"
#include "generic/base/error.hpp"
#include "generic/base/values.hpp"

namespace earl {

class Reader;
class Writer;

/// A struct that lists its fields.
template <class T>
concept Fielded = requires(T& message, Writer& writer) {
  T::fields(message, writer);
};

/// Puts values into bytes: little-endian numbers, length-prefixed strings.
class Writer {
 public:
  void u32(std::uint32_t value);
  void i32(std::int32_t value) { u32(static_cast<std::uint32_t>(value)); }
  void u64(std::uint64_t value);
  void text(std::string_view value);
  void texts(std::vector<std::string> const& values);
  Bytes bytes() const { return std::as_bytes(std::span{data_}); }

  /// Fields or whole messages, one after the other.
  template <class... Field>
  void operator()(Field const&... field) {
    (put(field), ...);
  }

 private:
  void put(bool value) { u32(value ? 1 : 0); }
  void put(std::uint32_t value) { u32(value); }
  void put(std::int32_t value) { i32(value); }
  void put(std::uint64_t value) { u64(value); }
  void put(Rank value) { i32(number(value)); }
  void put(Tag value) { i32(number(value)); }
  void put(Context value) { u64(static_cast<std::uint64_t>(value)); }
  void put(std::string const& value) { text(value); }
  void put(std::vector<std::string> const& values) { texts(values); }
  void put(Buffer const& value);
  template <class T>
  void put(T const& value) {
    if constexpr (Fielded<T const>)
      T::fields(value, *this);
    else
      value.write(*this);
  }

  std::string data_{};
};

/// Takes them out again. Everything is checked; throws Error on malformed bytes, because they may
/// come from any process.
class Reader {
 public:
  explicit Reader(Bytes from) : rest_(from) {}
  std::uint32_t u32();
  std::int32_t i32() { return static_cast<std::int32_t>(u32()); }
  std::uint64_t u64();
  std::string text();
  std::vector<std::string> texts();
  /// A whole message.
  template <class T>
  T get() {
    T value;
    get(value);
    return value;
  }
  bool at_end() const { return rest_.empty(); }

  template <class... Field>
  void operator()(Field&&... field) {
    (get(field), ...);
  }

 private:
  Bytes take(std::size_t n);
  void get(bool& value) { value = u32() != 0; }
  void get(std::uint32_t& value) { value = u32(); }
  void get(std::int32_t& value) { value = i32(); }
  void get(std::uint64_t& value) { value = u64(); }
  void get(Rank& value) { value = Rank{i32()}; }
  void get(Tag& value) { value = Tag{i32()}; }
  void get(Context& value) { value = Context{u64()}; }
  void get(std::string& value) { value = text(); }
  void get(std::vector<std::string>& values) { values = texts(); }
  void get(Buffer& value);
  template <class T>
  void get(T& value) {
    if constexpr (Fielded<T>)
      T::fields(value, *this);
    else
      value.read(*this);
    if constexpr (requires { value.validate(); }) value.validate();
  }

  Bytes rest_;
};

/// A message without content.
struct Nothing {
  template <class Self, class Visit>
  static void fields(Self&, Visit&) {}
};

/// An enumerator up to `last`: another version's later one is read as the last that is known.
template <class Enum>
struct Clamped {
  Enum& value;
  std::uint32_t last;

  void write(Writer& to) const { to.u32(static_cast<std::uint32_t>(value)); }
  void read(Reader& from) const { value = static_cast<Enum>(std::min(from.u32(), last)); }
};
template <class Enum>
Clamped<Enum> clamped(Enum& value, std::type_identity_t<Enum> last) {
  return {value, static_cast<std::uint32_t>(last)};
}

/// An enumerator up to `last`: another number is an error that names `what`.
template <class Enum>
struct Checked {
  Enum& value;
  std::uint32_t last;
  std::string_view what;

  void write(Writer& to) const { to.u32(static_cast<std::uint32_t>(value)); }
  void read(Reader& from) const {
    auto const number = from.u32();
    if (number > last) throw Error("a message of EXEC's protocol with {} for {}", number, what);
    value = static_cast<Enum>(number);
  }
};
template <class Enum>
Checked<Enum> checked(Enum& value, std::type_identity_t<Enum> last, std::string_view what) {
  return {value, static_cast<std::uint32_t>(last), what};
}

/// A list: its length, then its entries. More than `most` are an error that names `what`.
template <class List>
struct Limited {
  List& list;
  std::uint32_t most;
  std::string_view what;

  void write(Writer& to) const {
    to.u32(static_cast<std::uint32_t>(list.size()));
    for (auto const& entry : list) to(entry);
  }
  void read(Reader& from) const {
    auto const count = from.u32();
    if (count > most) throw Error("a message of EXEC's protocol claims {} {}", count, what);
    for (std::uint32_t i = 0; i < count; ++i) from(list.emplace_back());
  }
};
template <class List>
Limited<List> limited(List& list, std::uint32_t most, std::string_view what) {
  return {list, most, what};
}

}  // namespace earl
