// SPDX-License-Identifier: BSD-3-Clause
/// The records of a recording from another user, or one that a full disk cut.
#include "debug/trace/codec.hpp"

using namespace earl;

extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size) {
  bool whole = false;
  (void)trace::decode(std::as_bytes(std::span{data, size}), &whole);
  return 0;
}
