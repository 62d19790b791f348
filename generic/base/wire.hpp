// SPDX-License-Identifier: BSD-3-Clause
/// How values become bytes in requests to EXEC, in its answers and in messages of the control
/// channel.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "generic/base/bytes.hpp"

namespace earl {

/// Puts values into bytes: little-endian numbers, length-prefixed strings.
class Writer {
 public:
  void u32(std::uint32_t value);
  void i32(std::int32_t value) { u32(static_cast<std::uint32_t>(value)); }
  void u64(std::uint64_t value);
  void text(std::string_view value);
  void texts(std::vector<std::string> const& values);
  Bytes bytes() const { return std::as_bytes(std::span{data_}); }

 private:
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
  bool at_end() const { return rest_.empty(); }

 private:
  Bytes take(std::size_t n);
  Bytes rest_;
};

}  // namespace earl
