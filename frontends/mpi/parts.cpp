// SPDX-License-Identifier: BSD-3-Clause
#include "frontends/mpi/parts.hpp"

namespace earl::mpi {

AddressRange range_of(void const* base, TypeMap const& map, std::size_t count) {
  if (count == 0 || map.size() == 0) return {};
  auto const last = static_cast<std::ptrdiff_t>(count - 1) * map.extent();
  auto const first = std::min<std::ptrdiff_t>(0, last) + map.true_lower();
  auto const end = std::max<std::ptrdiff_t>(0, last) + map.true_lower() + map.true_extent();
  auto const at = reinterpret_cast<std::uintptr_t>(base);
  return {at + static_cast<std::uintptr_t>(first), at + static_cast<std::uintptr_t>(end)};
}

}  // namespace earl::mpi
