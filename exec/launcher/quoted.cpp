// SPDX-License-Identifier: BSD-3-Clause
#include "exec/launcher/quoted.hpp"

#include <string_view>

namespace earl::exec {

std::string quoted(std::string const& word) {
  constexpr std::string_view plain =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+=./,:@%";
  if (!word.empty() && word.find_first_not_of(plain) == std::string::npos) return word;
  std::string text = "'";
  for (char const letter : word)
    text += letter == '\'' ? std::string{"'\\''"} : std::string(1, letter);
  return text + "'";
}

std::string quoted(std::vector<std::string> const& command) {
  std::string text;
  for (auto const& word : command) text += (text.empty() ? "" : " ") + quoted(word);
  return text;
}

}  // namespace earl::exec
