// SPDX-License-Identifier: BSD-3-Clause
#include "frontends/common/peers.hpp"

namespace earl {

Peers::Peers(Process& process, FrontEnds front_ends)
    : Peers(table_when_known(process), process.rank(), front_ends) {}

Peers::Peers(IdTable const& table, Rank me, FrontEnds front_ends)
    : table_(table), ranks_(batch_of(table, me, front_ends)), numbers_(table.count(), foreign) {
  for (int number = 0; number < size(); ++number)
    numbers_[index(ranks_[static_cast<std::size_t>(number)])] = number;
  me_ = numbers_[index(me)];
}

Rank Peers::other_rank(int number) const {
  const Rank other{number - size()};
  return number >= size() && table_.find(other) ? other : no_rank;
}

}  // namespace earl
