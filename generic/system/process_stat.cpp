// SPDX-License-Identifier: BSD-3-Clause
#include "generic/system/process_stat.hpp"

#include <fmt/format.h>

#include <cstdlib>
#include <sstream>
#include <string_view>

#include "generic/system/read_file.hpp"

namespace earl {

namespace {

constexpr int parent_field = 4;
constexpr int start_field = 22;

}  // namespace

std::optional<std::string> stat_field(pid_t pid, int number) {
  auto const all = read_file(fmt::format("/proc/{}/stat", pid)).value_or("");
  auto const name_ends = all.rfind(')');  // a name may hold anything
  if (name_ends == std::string::npos) return std::nullopt;
  std::istringstream fields(all.substr(name_ends + 1));
  std::string field;
  for (int at = 3; at <= number; ++at)
    if (!(fields >> field)) return std::nullopt;
  return field;
}

std::optional<int> end_of_descriptors(pid_t pid) {
  auto const status = read_file(fmt::format("/proc/{}/status", pid));
  if (!status) return std::nullopt;
  constexpr std::string_view word = "\nFDSize:";
  auto const found = status->find(word);
  return found == std::string::npos ? 0 : std::atoi(status->c_str() + found + word.size());
}

std::optional<pid_t> parent_of(pid_t pid) {
  auto const field = stat_field(pid, parent_field);
  return field ? std::optional{std::atoi(field->c_str())} : std::nullopt;
}

std::optional<std::string> start_of(pid_t pid) { return stat_field(pid, start_field); }

}  // namespace earl
