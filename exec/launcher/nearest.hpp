// SPDX-License-Identifier: BSD-3-Clause
/// The known word that a misspelt one most likely means.
#pragma once

#include <initializer_list>
#include <span>
#include <string>
#include <string_view>

namespace earl::exec {

/// Letters to insert, remove, replace or swap with their neighbour to make one word of the other.
std::size_t distance(std::string_view one, std::string_view other);

/// Empty: none is near enough to be worth a guess.
std::string_view nearest(std::string_view word, std::span<std::string const> known);

/// "; did you mean WORD?" or nothing, for the end of a sentence.
std::string guess(std::string_view word, std::span<std::string const> known);
std::string guess(std::string_view word, std::initializer_list<char const*> known);

}  // namespace earl::exec
