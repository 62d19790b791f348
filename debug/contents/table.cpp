// SPDX-License-Identifier: BSD-3-Clause
#include "debug/contents/table.hpp"

#include <bit>
#include <cstring>
#include <new>

#include "generic/base/error.hpp"

namespace earl::contents {

namespace {

/// Before the rows.
struct TableHead {
  std::uint32_t count = 0;
  std::uint32_t initial = 0;
  std::uint32_t message_kib = 0;
  std::uint32_t partitions = 0;  ///< how many PartitionRows are next
};

void append(std::string& to, Bytes bytes) {
  to.append(reinterpret_cast<char const*>(bytes.data()), bytes.size());
}

/// Reads what append() wrote, also into atomic numbers.
class Cursor {
 public:
  explicit Cursor(Bytes from) : rest_(from) {}
  template <class T>
  void read(T& into) {
    if (rest_.size() < sizeof into) throw Error("the id table of a recording is cut");
    std::memcpy(static_cast<void*>(&into), rest_.data(), sizeof into);
    rest_ = rest_.subspan(sizeof into);
  }
  bool at_end() const { return rest_.empty(); }

 private:
  Bytes rest_;
};

}  // namespace

std::string bytes_of_table(IdTable const& table) {
  TableHead head{.count = table.count(),
                 .initial = table.initial(),
                 .message_kib = static_cast<std::uint32_t>(table.message_memory() / 1024)};
  while (head.partitions < most_partitions && table.partition(head.partitions) &&
         (head.partitions == 0 || table.partition(head.partitions)->places != 0))
    ++head.partitions;
  std::string bytes;
  append(bytes, bytes_of(head));
  for (std::uint32_t n = 0; n < head.partitions; ++n)
    append(bytes,
           Bytes{reinterpret_cast<std::byte const*>(table.partition(n)), sizeof(PartitionRow)});
  table.each([&](Rank, IdRow const& row) {
    append(bytes, Bytes{reinterpret_cast<std::byte const*>(&row), sizeof row});
  });
  return bytes;
}

IdTable table_from(Bytes bytes) {
  Cursor from(bytes);
  TableHead then;
  from.read(then);
  if (then.partitions > most_partitions || then.count > most_ranks)
    throw Error("the id table of a recording has {} processes", then.count);
  auto const capacity = std::bit_ceil(std::max(then.count, 1U));
  auto const size = id_table_bytes(capacity);
  auto* const memory = new (std::align_val_t{alignof(IdHead)}) std::byte[size]{};
  auto* const head = new (memory) IdHead;
  head->magic = id_table_magic;
  head->version = id_table_version;
  head->capacity = capacity;
  for (std::uint32_t n = 0; n < then.partitions; ++n) from.read(head->partitions[n]);
  for (std::uint32_t n = 0; n < capacity; ++n) new (memory + id_rows_at + n * sizeof(IdRow)) IdRow;
  while (!from.at_end()) {
    IdRow row;
    from.read(row);
    auto const slot = slot_of(Rank{row.rank.load()}, capacity);
    if (row.state != static_cast<std::uint32_t>(RankState::reserved))
      row.state = static_cast<std::uint32_t>(RankState::registered);
    std::memcpy(static_cast<void*>(memory + id_rows_at + slot * sizeof row),
                static_cast<void const*>(&row), sizeof row);
  }
  head->initial = then.initial;
  head->message_kib = then.message_kib;
  head->count = then.count;
  return IdTable(Bytes{memory, size});
}

}  // namespace earl::contents
