// SPDX-License-Identifier: BSD-3-Clause
/// The processes that one run or spawn has started, and which of them use a front end.
#pragma once

#include <cstring>
#include <optional>
#include <string_view>
#include <vector>

#include "generic/base/front_end_name.hpp"
#include "generic/process.hpp"

namespace earl {

/// Rows of the batch that `me` belongs to, as fn(Rank, IdRow const&), in the order of their Ranks
/// (as IdTable::each).
template <class Fn>
void for_each_of_batch(IdTable const& table, Rank me, Fn fn) {
  auto const batch = table.find(me)->batch;
  table.each([&](Rank rank, IdRow const& row) {
    if (row.batch == batch) fn(rank, row);
  });
}

inline bool same_program(IdRow const& one, IdRow const& other) {
  return std::strncmp(one.program, other.program, sizeof one.program) == 0;
}

/// The whole batch of `me`, whatever its front ends are, where that needs no look at the rows: of a
/// thousand processes each would look at a thousand.
inline std::optional<std::vector<Rank>> uniform_batch(IdTable const& table, Rank me) {
  auto const size = table.uniform();
  if (index(me) >= size) return std::nullopt;
  std::vector<Rank> ranks(size);
  for (std::uint32_t n = 0; n < size; ++n) ranks[n] = Rank{static_cast<std::int32_t>(n)};
  return ranks;
}

/// True when the table has the front end of each process of the batch. Processes of the same
/// program as `me` need not have registered for that.
inline bool batch_known(IdTable const& table, Rank me) {
  if (index(me) < table.uniform()) return true;
  IdRow const& own = *table.find(me);
  bool all = true;
  for_each_of_batch(table, me, [&](Rank rank, IdRow const& row) {
    all = all && (table.state(rank) >= RankState::registered || same_program(row, own));
  });
  return all;
}

/// The id table, once batch_known(); waits for that in a job of several programs.
inline IdTable const& table_when_known(Process& process) {
  while (!batch_known(process.table(), process.rank())) process.idle();
  return process.table();
}

/// A front end, or two whose processes are of one system.
class FrontEnds {
 public:
  FrontEnds(std::string_view only) : FrontEnds(only, only) {}
  FrontEnds(char const* only) : FrontEnds(std::string_view{only}) {}
  FrontEnds(std::string_view first, std::string_view second)
      : first_(first), second_(second), differ_(first != second) {}

  bool has(IdRow const& row) const { return first_.is_of(row) || (differ_ && second_.is_of(row)); }

 private:
  FrontEndName first_;
  FrontEndName second_;
  bool differ_;
};

/// The processes of the batch that use one of `front_ends`; it must be known.
inline std::vector<Rank> batch_of(IdTable const& table, Rank me, FrontEnds front_ends) {
  if (auto all = uniform_batch(table, me)) return *std::move(all);
  IdRow const& own = *table.find(me);
  std::vector<Rank> ranks;
  for_each_of_batch(table, me, [&](Rank rank, IdRow const& row) {
    if (front_ends.has(row) || same_program(row, own)) ranks.push_back(rank);
  });
  return ranks;
}

/// The same once it is known, in one pass.
inline std::vector<Rank> batch_when_known(Process& process, FrontEnds front_ends) {
  auto const& table = process.table();
  auto const me = process.rank();
  if (auto all = uniform_batch(table, me)) return *std::move(all);
  IdRow const& own = *table.find(me);
  for (std::vector<Rank> ranks;; ranks.clear(), process.idle()) {
    bool known = true;
    ranks.reserve(own.batch_size);
    for_each_of_batch(table, me, [&](Rank rank, IdRow const& row) {
      if (front_ends.has(row) || same_program(row, own))
        ranks.push_back(rank);
      else
        known = known && table.state(rank) >= RankState::registered;
    });
    if (known) return ranks;
  }
}

}  // namespace earl
