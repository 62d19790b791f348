// SPDX-License-Identifier: BSD-3-Clause
#include "frontends/common/peers.hpp"

#include "frontends/common/batch.hpp"

namespace earl {

Peers::Peers(Process& process, std::string_view front_end)
    : Peers(table_when_known(process), process.rank(), front_end) {}

Peers::Peers(IdTable const& table, Rank me, std::string_view front_end)
    : table_(table), ranks_(batch_of(table, me, front_end)), numbers_(table.count(), foreign) {
  for (int number = 0; number < size(); ++number)
    numbers_[index(ranks_[static_cast<std::size_t>(number)])] = number;
  me_ = numbers_[index(me)];
}

Rank Peers::other_rank(int number) const {
  const Rank other{number - size()};
  return number >= size() && table_.find(other) ? other : no_rank;
}

}  // namespace earl
