// SPDX-License-Identifier: BSD-3-Clause
#include "generic/base/words.hpp"

#include <algorithm>
#include <sstream>

namespace earl {

std::vector<std::string> split_words(std::string_view text) {
  std::istringstream stream{std::string{text}};
  std::vector<std::string> words;
  for (std::string word; stream >> word;) words.push_back(std::move(word));
  return words;
}

std::vector<std::string> split_at_zeros(std::string_view text) {
  std::vector<std::string> parts;
  while (!text.empty()) {
    auto const end = std::min(text.find('\0'), text.size());
    parts.emplace_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return parts;
}

std::vector<char*> pointers_to(std::vector<std::string> const& arguments) {
  std::vector<char*> pointers;
  pointers.reserve(arguments.size() + 1);
  for (auto const& argument : arguments) pointers.push_back(const_cast<char*>(argument.c_str()));
  pointers.push_back(nullptr);
  return pointers;
}

}  // namespace earl
