// SPDX-License-Identifier: BSD-3-Clause
#include "generic/base/wire.hpp"

#include "generic/base/error.hpp"

namespace earl {

namespace {

constexpr std::uint32_t most_strings = 1U << 20;

template <class Number>
void append(std::string& data, Number value) {
  for (unsigned shift = 0; shift < 8 * sizeof value; shift += 8)
    data.push_back(static_cast<char>(value >> shift & 0xffU));
}

template <class Number>
Number number_from(Bytes bytes) {
  Number value = 0;
  for (std::size_t i = 0; i < sizeof value; ++i)
    value |= static_cast<Number>(std::to_integer<Number>(bytes[i]) << (8 * i));
  return value;
}

}  // namespace

void Writer::u32(std::uint32_t value) { append(data_, value); }
void Writer::u64(std::uint64_t value) { append(data_, value); }

void Writer::text(std::string_view value) {
  u32(static_cast<std::uint32_t>(value.size()));
  data_ += value;
}

void Writer::texts(std::vector<std::string> const& values) {
  u32(static_cast<std::uint32_t>(values.size()));
  for (auto const& value : values) text(value);
}

void Writer::put(Buffer const& value) {
  text({reinterpret_cast<char const*>(value.data()), value.size()});
}

Bytes Reader::take(std::size_t n) {
  if (n > rest_.size())
    throw Error("a message of EXEC's protocol is cut: {} bytes wanted, {} left", n, rest_.size());
  auto const taken = rest_.first(n);
  rest_ = rest_.subspan(n);
  return taken;
}

std::uint32_t Reader::u32() { return number_from<std::uint32_t>(take(4)); }
std::uint64_t Reader::u64() { return number_from<std::uint64_t>(take(8)); }

std::string Reader::text() {
  auto const bytes = take(u32());
  return {reinterpret_cast<char const*>(bytes.data()), bytes.size()};
}

void Reader::get(Buffer& value) { value = Buffer(Gather{take(u32())}); }

std::vector<std::string> Reader::texts() {
  auto const count = u32();
  if (count > most_strings) throw Error("a message of EXEC's protocol claims {} strings", count);
  std::vector<std::string> values;
  for (std::uint32_t i = 0; i < count; ++i) values.push_back(text());
  return values;
}

}  // namespace earl
