// SPDX-License-Identifier: BSD-3-Clause
/// A report in a file.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace earl::analyse {

/// Writes one part after the other; `file` may be -, standard output. Throws Error, and leaves no
/// part of a file.
void write_file(std::string const& file, std::span<std::string_view const> parts);

}  // namespace earl::analyse
