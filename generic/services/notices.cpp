// SPDX-License-Identifier: BSD-3-Clause
#include "generic/services/notices.hpp"

#include <algorithm>

#include "generic/base/error.hpp"
#include "generic/base/id_table.hpp"

namespace earl {

void ProcessList::add(Rank id) {
  auto const bit = short_name_of(id);
  if (bit / 8 >= present.size()) present.resize(bit / 8 + 1);
  present[bit / 8] = static_cast<char>(present[bit / 8] | 1 << bit % 8);
}

bool ProcessList::has(Rank id) const {
  auto const bit = short_name_of(id);
  if (number(id) < 0 || bit / 8 >= present.size()) return false;
  return (present[bit / 8] >> bit % 8 & 1) != 0;
}

std::optional<Rank> ProcessList::id_of(Rank process) const {
  for (std::uint32_t returns = 0; returns <= most_returns; ++returns)
    if (auto const id = id_after(process, returns); has(id)) return id;
  return std::nullopt;
}

}  // namespace earl
