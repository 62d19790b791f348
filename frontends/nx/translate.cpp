// SPDX-License-Identifier: BSD-3-Clause
#include "frontends/nx/translate.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <utility>

#include "frontends/common/batch.hpp"
#include "frontends/nx/errors.hpp"

namespace earl::nx {

namespace {

/// Space for the contexts of pids other than 0: "NX" and the pid.
constexpr std::uint64_t pid_contexts = 0x4e58'0000'0000;

}  // namespace

void refuse_type(std::int32_t type) { throw NxError(EQTYPE, "type {} is negative", type); }

void refuse_pid(std::int32_t pid) { throw NxError(EQPID, "pid {} is negative", pid); }

void refuse_length(long given) {
  throw NxError(EQLEN, "length {} is too large: NX takes up to {} at a time", given,
                std::numeric_limits<std::int32_t>::max());
}

void refuse_memory(std::int32_t count) {
  if (count < 0) throw NxError(EQLEN, "length {} is negative: pass 0 or more", count);
  throw NxError(EQPBUF, "the buffer of {} bytes is a null pointer: pass memory", count);
}

TagMatch tags_of(std::int32_t typesel) {
  if (typesel >= 0) return TagMatch::exactly(Tag{typesel});
  auto const bits = static_cast<std::uint32_t>(typesel) & 0x7fff'ffff;
  if (bits == 0) throw NxError(EQTYPE, "the type mask 0x80000000 selects nothing");
  return TagMatch::masked(bits);
}

Context context_of_pid(std::int32_t pid) {
  if (pid < 0) refuse_pid(pid);
  if (pid == 0) return common_context;
  return context_of(Space::user, pid_contexts | static_cast<std::uint32_t>(pid));
}

ContextName pid_in_reports(Context context) {
  bool const is_of_pid = space_of(context) == Space::user &&
                         (id_of(context) & ~std::uint64_t{0xffff'ffff}) == pid_contexts;
  if (!is_of_pid) return {};
  return {.label = fmt::format("for pid {}", static_cast<std::uint32_t>(id_of(context)))};
}

std::string_view fortran_text(char const* text, std::size_t length) {
  const std::string_view all(text, length);
  return all.substr(0, all.find_last_not_of(' ') + 1);
}

Cube::Cube(IdTable const& table, Rank me) : Cube(table, me, batch_of(table, me, "nx")) {}

Cube::Cube(IdTable const& table, Rank me, std::vector<Rank> nodes)
    : table_(table),
      nodes_(std::move(nodes)),
      first_(number(nodes_.front())),
      size_(static_cast<std::int32_t>(nodes_.size())),
      batch_(table.find(me)->batch) {
  me_ = place_in_nodes(me);
}

Cube::Cube(IdTable const& table, Rank me, std::uint32_t partition)
    : table_(table),
      size_(static_cast<std::int32_t>(table.partition(partition)->places.load())),
      batch_(partition),
      partition_(partition) {
  auto const place = place_in_partition(me);
  me_ = place == foreign ? size_ : place;
}

std::int32_t Cube::place_in_partition(Rank rank) const {
  auto const* row = table_.find(rank);
  if (row && row->partition == partition_) return static_cast<std::int32_t>(row->place);
  return table_.partition(partition_)->host.load() == number(rank) ? size_ : foreign;
}

Rank Cube::other_rank_of(std::int32_t node) const {
  const Rank other{node - first_foreign()};
  if (node > size() && table_.find(other)) return other;
  throw NxError(EQNODE, "node {} is not in this cube of {} (0 to {})", node, size(), size() - 1);
}

std::int32_t Cube::other_node_of(Rank rank) const {
  if (partition_ != 0) {
    auto const place = place_in_partition(rank);
    return place == foreign ? first_foreign() + number(rank) : place;
  }
  auto const place = place_in_nodes(rank);
  return place == foreign ? first_foreign() + number(rank) : place;
}

std::int32_t Cube::place_in_nodes(Rank rank) const {
  auto const found = std::ranges::lower_bound(nodes_, rank);
  if (found == nodes_.end() || *found != rank) return foreign;
  return static_cast<std::int32_t>(found - nodes_.begin());
}

std::vector<Rank> Cube::others() const {
  auto ranks = nodes_;
  std::erase(ranks, nodes_.empty() ? no_rank : nodes_[static_cast<std::size_t>(me_)]);
  return ranks;
}

}  // namespace earl::nx
