// SPDX-License-Identifier: BSD-3-Clause
#include "exec/launcher/output/color.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdlib>

namespace earl::exec {

namespace {

std::string_view variable(char const* name) {
  char const* const value = std::getenv(name);
  return value ? value : "";
}

bool has_colors(int fd) {
  auto const terminal = variable("TERM");
  return variable("NO_COLOR").empty() && !terminal.empty() && terminal != "dumb" &&
         ::isatty(fd) == 1;
}

}  // namespace

std::string in_color(Color color, std::string_view text, int fd) {
  if (!has_colors(fd)) return std::string{text};
  return fmt::format("\x1b[1;{}m{}\x1b[0m", static_cast<int>(color), text);
}

}  // namespace earl::exec
