// SPDX-License-Identifier: BSD-3-Clause
/// The relocations of each architecture.
#pragma once

#include <elf.h>
#include <link.h>

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

#if defined(__x86_64__)
inline constexpr std::uint16_t machine_number = EM_X86_64;
inline constexpr RelocationRow relocation_rows[] = {
    {R_X86_64_NONE, RelocationKind::nothing},
    {R_X86_64_RELATIVE, RelocationKind::base},
    {R_X86_64_GLOB_DAT, RelocationKind::symbol},
    {R_X86_64_JUMP_SLOT, RelocationKind::symbol},
    {R_X86_64_64, RelocationKind::symbol_sum},
    {R_X86_64_COPY, RelocationKind::copy},
    {R_X86_64_IRELATIVE, RelocationKind::function},
    {R_X86_64_DTPMOD64, RelocationKind::tls_module},
    {R_X86_64_DTPOFF64, RelocationKind::tls_offset},
    {R_X86_64_TPOFF64, RelocationKind::tls_address},
    {R_X86_64_TLSDESC, RelocationKind::tls_descriptor},
};
#elif defined(__aarch64__)
inline constexpr std::uint16_t machine_number = EM_AARCH64;
inline constexpr RelocationRow relocation_rows[] = {
    {R_AARCH64_NONE, RelocationKind::nothing},
    {R_AARCH64_RELATIVE, RelocationKind::base},
    {R_AARCH64_GLOB_DAT, RelocationKind::symbol_sum},
    {R_AARCH64_JUMP_SLOT, RelocationKind::symbol_sum},
    {R_AARCH64_ABS64, RelocationKind::symbol_sum},
    {R_AARCH64_COPY, RelocationKind::copy},
    {R_AARCH64_IRELATIVE, RelocationKind::function},
    {R_AARCH64_TLS_DTPMOD, RelocationKind::tls_module},
    {R_AARCH64_TLS_DTPREL, RelocationKind::tls_offset},
    {R_AARCH64_TLS_TPREL, RelocationKind::tls_address},
    {R_AARCH64_TLSDESC, RelocationKind::tls_descriptor},
};
#else
inline constexpr std::uint16_t machine_number = EM_NONE;
inline constexpr RelocationRow relocation_rows[] = {{0, RelocationKind::nothing}};
#endif

constexpr RelocationKind asks(ElfW(Rela) const& relocation) {
  for (auto const& row : relocation_rows)
    if (row.number == ELF64_R_TYPE(relocation.r_info)) return row.asks;
  return RelocationKind::unknown;
}

}  // namespace earl::fibers
