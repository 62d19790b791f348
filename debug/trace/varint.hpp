// SPDX-License-Identifier: BSD-3-Clause
/// Numbers as few bytes: seven bits per byte, lowest first (LEB128); signed ones folded so that
/// small negative numbers are short too.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "generic/base/bytes.hpp"

namespace earl::trace {

inline constexpr std::size_t longest_varint = 10;

constexpr std::uint64_t zigzag(std::int64_t value) {
  return static_cast<std::uint64_t>(value) << 1 ^ static_cast<std::uint64_t>(value >> 63);
}
constexpr std::int64_t unzigzag(std::uint64_t value) {
  return static_cast<std::int64_t>(value >> 1 ^ (~(value & 1) + 1));
}
/// b - a, also when that wraps: adding it to `a` again always gives `b`.
constexpr std::int64_t difference(std::uint64_t a, std::uint64_t b) {
  return static_cast<std::int64_t>(b - a);
}
constexpr std::uint64_t moved(std::uint64_t a, std::int64_t by) {
  return a + static_cast<std::uint64_t>(by);
}

/// Writes to memory that the caller knows to be large enough.
class Put {
 public:
  explicit Put(std::byte* to) : start_(to), at_(to) {}

  void byte(unsigned value) { *at_++ = static_cast<std::byte>(value); }
  void number(std::uint64_t value) {
    for (; value >= 0x80; value >>= 7) byte(static_cast<unsigned>(value & 0x7f) | 0x80U);
    byte(static_cast<unsigned>(value));
  }
  void signed_number(std::int64_t value) { number(zigzag(value)); }
  void word(std::uint32_t value) {
    for (unsigned shift = 0; shift < 32; shift += 8) byte(value >> shift & 0xffU);
  }
  void bytes(Bytes from) {
    if (!from.empty()) std::memcpy(at_, from.data(), from.size());
    at_ += from.size();
  }
  void text(std::string_view from) {
    number(from.size());
    bytes(std::as_bytes(std::span{from}));
  }
  std::size_t size() const { return static_cast<std::size_t>(at_ - start_); }

 private:
  std::byte* start_;
  std::byte* at_;
};

/// Reads memory that may hold anything. Missing bytes read as 0 and ok() is false from then on.
class Get {
 public:
  explicit Get(Bytes from) : rest_(from) {}

  /// The next byte(), which stays; there is one.
  unsigned next_byte() const { return std::to_integer<unsigned>(rest_[0]); }
  unsigned byte() {
    if (rest_.empty()) return fail();
    auto const value = std::to_integer<unsigned>(rest_[0]);
    rest_ = rest_.subspan(1);
    return value;
  }
  std::uint64_t number() {
    std::uint64_t value = 0;
    for (unsigned shift = 0; shift < 64; shift += 7) {
      auto const part = byte();
      value |= static_cast<std::uint64_t>(part & 0x7fU) << shift;
      if ((part & 0x80U) == 0) return value;
    }
    return fail();
  }
  std::int64_t signed_number() { return unzigzag(number()); }
  std::uint32_t word() {
    std::uint32_t value = 0;
    for (unsigned shift = 0; shift < 32; shift += 8) value |= byte() << shift;
    return value;
  }
  Bytes bytes(std::uint64_t size) {
    if (size > rest_.size()) {
      fail();
      return {};
    }
    auto const taken = rest_.first(static_cast<std::size_t>(size));
    rest_ = rest_.subspan(taken.size());
    return taken;
  }
  std::string_view text() {
    auto const from = bytes(number());
    return {reinterpret_cast<char const*>(from.data()), from.size()};
  }
  bool ok() const { return ok_; }
  bool at_end() const { return rest_.empty(); }
  std::size_t left() const { return rest_.size(); }

 private:
  unsigned fail() {
    ok_ = false;
    rest_ = {};
    return 0;
  }
  Bytes rest_;
  bool ok_ = true;
};

}  // namespace earl::trace
