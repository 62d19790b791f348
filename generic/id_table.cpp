#include "generic/id_table.hpp"

#include <chrono>
#include <cstring>
#include <thread>

#include "generic/error.hpp"

namespace earl {

namespace {

template <std::size_t N>
std::string_view text_of(char const (&field)[N]) {
  return {field, ::strnlen(field, N)};
}

}  // namespace

IdTable::IdTable(Bytes memory) {
  if (memory.size() < id_rows_at) throw Error("the id table is cut: {} bytes", memory.size());
  auto const* head = reinterpret_cast<IdHead const*>(memory.data());
  if (head->magic != id_table_magic || head->version != id_table_version)
    throw Error("what EXEC handed over is no id table of this version of Earl");
  if (memory.size() < id_table_bytes(head->capacity))
    throw Error("the id table is cut: {} bytes for {} rows", memory.size(), head->capacity);
  if (auto const count = head->count.load(); count > head->capacity)
    throw Error("the id table is damaged: {} rows are used of {}", count, head->capacity);
  head_ = head;
  rows_ = reinterpret_cast<IdRow const*>(memory.data() + id_rows_at);
}

/// Whoever keeps the table writes into it without this process.
IdRow const* IdTable::await(Rank rank) const {
  constexpr auto patience = std::chrono::seconds{10};
  constexpr auto moment = std::chrono::microseconds{50};
  if (!head_ || number(rank) < 0 || index(rank) >= head_->capacity) return nullptr;
  auto const deadline = Clock::now() + patience;
  while (!find(rank) && Clock::now() < deadline) std::this_thread::sleep_for(moment);
  return find(rank);
}

std::string_view front_end_of(IdRow const& row) { return text_of(row.front_end); }
std::string_view program_of(IdRow const& row) { return text_of(row.program); }

}  // namespace earl
