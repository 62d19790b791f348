// SPDX-License-Identifier: BSD-3-Clause
/// The kinds of relocations, by their results.
#pragma once

#include <cstdint>

namespace earl::fibers {

enum class RelocationKind {
  nothing,
  base,        ///< where the file is mapped, plus the addend
  symbol,      ///< a symbol's address
  symbol_sum,  ///< the same plus the addend
  copy,        ///< a variable's contents
  function,    ///< the result of a function of the file
  tls_module,
  tls_offset,      ///< within the module's block
  tls_address,     ///< from the thread pointer
  tls_descriptor,  ///< a function that gives the address from the thread pointer, and its argument
  unknown,
};

struct RelocationRow {
  std::uint32_t number;
  RelocationKind asks;
};

}  // namespace earl::fibers
