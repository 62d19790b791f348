// SPDX-License-Identifier: BSD-3-Clause
#include "frontends/pvm3/environment.hpp"

#include <fmt/format.h>

#include <cstdlib>

namespace earl::pvm {

namespace {

std::string or_else(std::string value, char const* otherwise) {
  return value.empty() ? otherwise : value;
}

}  // namespace

std::string variable(char const* name) {
  char const* value = std::getenv(name);
  return value ? value : "";
}

void set_variable(char const* name, std::string const& value) {
  if (value.empty()) {
    unsetenv(name);
  } else {
    setenv(name, value.c_str(), 1);
  }
}

std::vector<std::string> split(std::string_view list) {
  std::vector<std::string> pieces;
  while (!list.empty()) {
    auto const colon = list.find(':');
    auto const piece = list.substr(0, colon);
    if (!piece.empty()) pieces.emplace_back(piece);
    list = colon == list.npos ? std::string_view{} : list.substr(colon + 1);
  }
  return pieces;
}

std::string join(std::vector<std::string> const& pieces) {
  std::string list;
  for (auto const& piece : pieces) list += (list.empty() ? "" : ":") + piece;
  return list;
}

std::vector<std::string> program_folders() {
  auto const path = variable("PVM_PATH");
  if (!path.empty()) return split(path);
  auto const named = or_else(variable("PVM_ARCH"), "LINUX64");
  auto const root = or_else(variable("PVM_ROOT"), debian_root);
  return {fmt::format("{}/pvm3/bin/{}", variable("HOME"), named),
          fmt::format("{}/bin/{}", root, named)};
}

std::vector<std::string> exported_variables() {
  auto const list = variable("PVM_EXPORT");
  if (list.empty()) return {};
  std::vector<std::string> result{"PVM_EXPORT=" + list};
  for (auto const& name : split(list)) {
    if (char const* value = std::getenv(name.c_str())) result.push_back(name + "=" + value);
  }
  return result;
}

}  // namespace earl::pvm
