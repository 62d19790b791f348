// SPDX-License-Identifier: BSD-3-Clause
/// An id table for tests of front ends that read it.
#pragma once

#include <bit>
#include <cstring>
#include <new>
#include <vector>

#include "generic/base/id_table.hpp"

namespace earl::tests {

/// The initial content of a row of the table.
struct Row {
  char const* program = "";
  char const* front_end = "";
  RankState state = RankState::registered;
  std::uint32_t batch = 0;
};

/// An id table in memory of its own.
class Table {
 public:
  /// `uniform`: IdTable::uniform().
  explicit Table(std::vector<Row> const& rows, std::uint32_t uniform = 0)
      : memory_(id_table_bytes(room_for(rows)) / 8) {
    auto* head = new (memory_.data()) IdHead;
    head->magic = id_table_magic;
    head->version = id_table_version;
    head->capacity = room_for(rows);
    head->uniform = uniform;
    head->count = head->initial = static_cast<std::uint32_t>(rows.size());
    auto* place = reinterpret_cast<std::byte*>(memory_.data()) + id_rows_at;
    std::int32_t rank = 0;
    for (Row const& given : rows) {
      auto& row = *new (place) IdRow;
      row.rank = rank++;
      fill(row, given);
      place += sizeof(IdRow);
    }
  }
  IdTable view() const { return IdTable{std::as_bytes(std::span{memory_})}; }

 private:
  static std::uint32_t room_for(std::vector<Row> const& rows) {
    return std::bit_ceil(static_cast<std::uint32_t>(rows.size()));
  }
  static void fill(IdRow& row, Row const& given) {
    row.state = static_cast<std::uint32_t>(given.state);
    row.batch = given.batch;
    std::strncpy(row.program, given.program, sizeof row.program - 1);
    std::strncpy(row.front_end, given.front_end, sizeof row.front_end - 1);
  }

  std::vector<std::uint64_t> memory_;
};

}  // namespace earl::tests
