// SPDX-License-Identifier: BSD-3-Clause
#include "debug/analyse/write_file.hpp"

#include <cerrno>
#include <cstdio>
#include <filesystem>

#include "generic/base/error.hpp"

namespace earl::analyse {

void write_file(std::string const& file, std::span<std::string_view const> parts) {
  bool const standard = file == "-";
  auto* const out = standard ? stdout : std::fopen(file.c_str(), "wbe");
  bool good = out != nullptr;
  for (auto const part : parts)
    good = good && std::fwrite(part.data(), 1, part.size(), out) == part.size();
  good = out && std::fflush(out) == 0 && good;
  int const error = errno;
  if (out && !standard) std::fclose(out);
  if (good) return;
  std::error_code ignored;
  if (out && std::filesystem::is_regular_file(file, ignored))
    std::filesystem::remove(file, ignored);
  throw Error("{} cannot be written: {}", file, system_message(error));
}

}  // namespace earl::analyse
