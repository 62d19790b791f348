// SPDX-License-Identifier: BSD-3-Clause
/// Files by descriptors. In a program's process a stream, opendir() or realpath(path, null) would
/// take memory from the program's malloc and leave it dirty.
#pragma once

#include <optional>
#include <string>

namespace earl {

/// All of a file; none: it cannot be read, and errno says why.
std::optional<std::string> read_file(std::string const& path);

/// Without links, dots and double slashes; empty: there is no such file, and errno says why.
std::string real_path(char const* path);

}  // namespace earl
