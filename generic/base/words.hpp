// SPDX-License-Identifier: BSD-3-Clause
/// Lists of strings: from text, and for execve().
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace earl {

/// The words of `text`, which have blanks between them.
std::vector<std::string> split_words(std::string_view text);

/// The parts of `text` with a zero behind each, as /proc has arguments and variables.
std::vector<std::string> split_at_zeros(std::string_view text);

/// Pointers to `arguments`, which must stay, and a null: an argument of execve().
std::vector<char*> pointers_to(std::vector<std::string> const& arguments);

}  // namespace earl
