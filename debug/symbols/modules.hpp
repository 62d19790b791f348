// SPDX-License-Identifier: BSD-3-Clause
/// Where an address of this process comes from, so that another process (or a later one) can find
/// it again: a module and an offset in it.
#pragma once

#include <cstdint>
#include <string>

namespace earl::symbols {

struct Module {
  std::string path;      ///< absolute; the executable's own for the program
  std::string build_id;  ///< hexadecimal; empty when the linker wrote none
  std::uint64_t base = 0;
  std::uint64_t end = 0;  ///< behind its last byte, of one that is never unloaded; 0: else

  bool holds(std::uintptr_t address) const { return address >= base && address < end; }
  bool operator==(Module const&) const = default;
};

/// The module that `address` lies in; an empty path when it is none.
Module module_at(void const* address);

/// The same in another process; `maps` is the text of its /proc/PID/maps. Without the build-id.
Module module_in(std::string const& maps, std::uintptr_t address);

/// The build-id of an ELF file, hexadecimal; empty when it is none or has none.
std::string build_id_of(std::string const& path);

/// Why lines are unavailable; empty: they are available.
std::string lines_unavailable();

/// "file:line" of an offset in a module, or "module+offset" when nothing better is known. Loads
/// libdw at the first call and not before.
std::string line_of(std::string const& path, std::uint64_t offset);

/// The name of the function that holds the call before the return address `offset`; empty: unknown.
std::string function_of(std::string const& path, std::uint64_t offset);

}  // namespace earl::symbols
