// SPDX-License-Identifier: BSD-3-Clause
/// A whole trace file behind a good header: frames, gap and tail.
#include <fmt/format.h>
#include <sys/mman.h>
#include <unistd.h>

#include <vector>

#include "debug/trace/reader.hpp"
#include "generic/base/crc32c.hpp"
#include "tests/fuzz/only_errors.hpp"

using namespace earl;

extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size) {
  // Its checksum would keep all but the luckiest input out.
  trace::FileHeader header;
  header.tail_room = 4096;
  header.tail_offset = size > 8 ? sizeof header + data[0] % 4 * 64U : 0;
  header.crc = crc32c({reinterpret_cast<std::byte const*>(&header), trace::header_checked_bytes});
  static int const file = ::memfd_create("trace", MFD_CLOEXEC);
  if (::ftruncate(file, 0) != 0) return 0;
  auto const head = ::pwrite(file, &header, sizeof header, 0);
  auto const body = ::pwrite(file, data, size, sizeof header);
  if (head < 0 || body < 0) return 0;
  fuzz::only_errors([&] {
    trace::TraceReader reader(fmt::format("/proc/self/fd/{}", file));
    while (reader.next()) {
    }
  });
  return 0;
}
