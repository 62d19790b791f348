// SPDX-License-Identifier: BSD-3-Clause
#include "exec/launcher/resources/memory.hpp"

#include <algorithm>

#include "generic/base/number.hpp"
#include "generic/system/read_file.hpp"

namespace earl::exec {

std::uint64_t available_memory(std::string_view meminfo) {
  constexpr std::string_view key = "MemAvailable:";
  auto const found = meminfo.find(key);
  if (found == std::string_view::npos) return 0;
  auto const begin = meminfo.find_first_not_of(' ', found + key.size());
  auto const end = meminfo.find(' ', begin);
  if (end == std::string_view::npos) return 0;
  return number_from<std::uint64_t>(meminfo.substr(begin, end - begin)).value_or(0) * 1024;
}

std::uint64_t usual_message_memory() {
  constexpr std::uint64_t least = std::uint64_t{64} << 20;
  constexpr std::uint64_t most = std::uint64_t{4} << 30;
  auto const available = available_memory(read_file("/proc/meminfo").value_or(""));
  return available == 0 ? most : std::clamp(available / 4, least, most);
}

}  // namespace earl::exec
