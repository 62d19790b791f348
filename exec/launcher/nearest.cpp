// SPDX-License-Identifier: BSD-3-Clause
#include "exec/launcher/nearest.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

namespace earl::exec {

namespace {

constexpr std::size_t longest = 64;  ///< a longer word is no misspelt name

/// The largest distance of a guess from `word`. Of a single letter nothing would be left.
std::size_t reach(std::string_view word) {
  auto const dashes = word.find_first_not_of('-');
  if (dashes == std::string_view::npos || word.size() < dashes + 2) return 0;
  return std::max(std::size_t{1}, word.size() / 3);
}

/// A word cut short (`rec`, `--time`) is as good as a misspelt one.
bool begins(std::string_view word, std::string_view known) {
  auto const dashes = known.find_first_not_of('-');
  return dashes != std::string_view::npos && word.size() >= dashes + 2 && known.starts_with(word);
}

/// All names that Earl knows are.
std::string in_small_letters(std::string_view word) {
  std::string small(word);
  for (auto& letter : small)
    if (letter >= 'A' && letter <= 'Z') letter = static_cast<char>(letter - 'A' + 'a');
  return small;
}

}  // namespace

std::size_t distance(std::string_view one, std::string_view other) {
  using Row = std::vector<std::size_t>;
  Row before(other.size() + 1);
  Row last(other.size() + 1);
  Row row(other.size() + 1);
  for (std::size_t j = 0; j <= other.size(); ++j) last[j] = j;
  for (std::size_t i = 1; i <= one.size(); ++i) {
    row[0] = i;
    for (std::size_t j = 1; j <= other.size(); ++j) {
      auto const same = one[i - 1] == other[j - 1];
      row[j] = std::min({last[j] + 1, row[j - 1] + 1, last[j - 1] + (same ? 0U : 1U)});
      bool const swapped =
          i > 1 && j > 1 && one[i - 1] == other[j - 2] && one[i - 2] == other[j - 1];
      if (swapped) row[j] = std::min(row[j], before[j - 2] + 1);
    }
    before = std::exchange(last, row);
  }
  return last[other.size()];
}

std::string_view nearest(std::string_view as_typed, std::span<std::string const> known) {
  if (as_typed.size() > longest) return {};
  auto const word = in_small_letters(as_typed);
  std::string_view best;
  auto least = reach(word) + 1;
  for (auto const& candidate : known) {
    auto const far = begins(word, candidate) ? 0 : distance(word, candidate);
    if (far >= least) continue;
    least = far;
    best = candidate;
  }
  return best;
}

std::string guess(std::string_view word, std::span<std::string const> known) {
  auto const found = nearest(word, known);
  return found.empty() ? std::string{} : fmt::format("; did you mean {}?", found);
}

std::string guess(std::string_view word, std::initializer_list<char const*> known) {
  return guess(word, std::vector<std::string>(known.begin(), known.end()));
}

}  // namespace earl::exec
