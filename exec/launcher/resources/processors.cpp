// SPDX-License-Identifier: BSD-3-Clause
#include "exec/launcher/resources/processors.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <string_view>

#include "exec/launcher/plan.hpp"
#include "generic/system/cpu_set.hpp"

namespace earl::exec {

namespace {

struct Range {
  std::size_t first = 0;
  std::size_t last = 0;
};

/// False: that is no range.
bool read_range(std::string_view text, Range& range) {
  auto const* end = text.data() + text.size();
  auto const first = std::from_chars(text.data(), end, range.first);
  if (first.ec != std::errc{}) return false;
  range.last = range.first;
  if (first.ptr == end) return true;
  if (*first.ptr != '-') return false;
  auto const last = std::from_chars(first.ptr + 1, end, range.last);
  return last.ec == std::errc{} && last.ptr == end;
}

}  // namespace

cpu_set_t parse_processors(std::string const& list) {
  cpu_set_t set;
  CPU_ZERO(&set);
  std::string_view rest = list;
  for (;;) {
    auto const end = std::min(rest.find(','), rest.size());
    Range range;
    if (!read_range(rest.substr(0, end), range) || range.last < range.first ||
        range.last >= CPU_SETSIZE)
      throw UsageError("--cpus {}: numbers of processors are needed, as in 0-3,6", list);
    for (auto i = range.first; i <= range.last; ++i) CPU_SET(i, &set);
    if (end == rest.size()) return set;
    rest.remove_prefix(end + 1);
  }
}

cpu_set_t own_processors() {
  auto const own = CpuSet::of(0);
  if (!own) throw Error("the processors of this process are unknown: {}", system_message(errno));
  return own->first();
}

void use_all_processors() {
  cpu_set_t all;
  CPU_ZERO(&all);
  for (std::size_t i = 0; i < CPU_SETSIZE; ++i) CPU_SET(i, &all);
  // Without the right to it the launcher's choice stays.
  static_cast<void>(::sched_setaffinity(0, sizeof all, &all));
}

std::string to_text(cpu_set_t const& processors) {
  std::string text;
  for (std::size_t i = 0; i < CPU_SETSIZE; ++i) {
    if (!CPU_ISSET(i, &processors)) continue;
    auto last = i;
    while (last + 1 < CPU_SETSIZE && CPU_ISSET(last + 1, &processors)) ++last;
    text += fmt::format("{}{}", text.empty() ? "" : ",", i);
    if (last > i) text += fmt::format("-{}", last);
    i = last;
  }
  return text;
}

}  // namespace earl::exec
