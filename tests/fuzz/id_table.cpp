// SPDX-License-Identifier: BSD-3-Clause
/// The id table as a process gets it: a descriptor that may be any file.
#include "generic/base/id_table.hpp"

#include <vector>

#include "tests/fuzz/only_errors.hpp"

using namespace earl;

extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size) {
  // Room for a few rows behind the head; 8-aligned, as mapped memory is.
  std::vector<std::uint64_t> memory(id_table_bytes(4) / 8);
  auto const whole = std::as_writable_bytes(std::span{memory});
  auto const given = std::as_bytes(std::span{data, size});
  auto const head = std::min(size, sizeof(IdHead));
  copy(given.first(head), whole);
  copy(given.subspan(head, std::min(size - head, whole.size() - id_rows_at)),
       whole.subspan(id_rows_at));
  auto& first = *reinterpret_cast<IdHead*>(whole.data());
  if (size % 8 != 0) {  // else hardly any input would get past them
    first.magic = id_table_magic;
    first.version = id_table_version;
  }
  fuzz::only_errors([&] {
    const IdTable table{whole};
    for (std::uint32_t n = 0; n < table.count() && n < 8; ++n) {
      auto const* row = table.find(Rank{static_cast<std::int32_t>(n)});
      if (row) EARL_CHECK(front_end_of(*row).size() <= 16 && program_of(*row).size() <= 80);
    }
  });
  return 0;
}
