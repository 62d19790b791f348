// SPDX-License-Identifier: BSD-3-Clause
/// One `--tool ./mine.so:ARGUMENT` of a job, as a debugger's argument.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace earl::outside {

/// The text is "NUMBER/PATH:ARGUMENT"; the number tells two uses of one library apart.
struct Use {
  std::string path;
  std::string argument;
  std::string note_name;  ///< of its notes from a rank to EXEC
};

std::string text_of(std::size_t number, std::string const& path, std::string const& argument);
Use parse_use(std::string_view text);

}  // namespace earl::outside
