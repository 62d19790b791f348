// SPDX-License-Identifier: BSD-3-Clause
#include "backends/hosted/variables.hpp"

#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>

#include "generic/base/error.hpp"

namespace earl::hosted_backend {

std::vector<std::string> read_variables(int memory) {
  struct stat facts {};
  if (::fstat(memory, &facts) != 0 || !S_ISREG(facts.st_mode))
    throw Error("descriptor {} is not a place in a library", memory);
  std::string all(static_cast<std::size_t>(facts.st_size), '\0');
  if (::pread(memory, all.data(), all.size(), 0) != facts.st_size)
    throw Error("a place in a library cannot be read: {}", system_message(errno));
  std::vector<std::string> variables;
  for (std::size_t at = 0; at < all.size(); at += variables.back().size() + 1)
    variables.emplace_back(all.c_str() + at);
  return variables;
}

void hide_variables(std::string_view prefix) {
  std::vector<std::string> hidden;
  for (char** variable = environ; *variable; ++variable)
    if (const std::string_view text = *variable; text.starts_with(prefix))
      hidden.emplace_back(text.substr(0, text.find('=')));
  for (auto const& name : hidden) ::unsetenv(name.c_str());
}

LentVariables::LentVariables(std::vector<std::string> const& variables) {
  for (auto const& variable : variables) {
    auto const at = variable.find('=');
    if (at == std::string::npos) continue;
    Before before{.name = variable.substr(0, at)};
    if (char const* const value = std::getenv(before.name.c_str())) {
      before.set = true;
      before.value = value;
    }
    ::setenv(before.name.c_str(), variable.c_str() + at + 1, 1);
    before_.push_back(std::move(before));
  }
}

LentVariables::~LentVariables() {
  for (auto const& before : before_)
    if (before.set)
      ::setenv(before.name.c_str(), before.value.c_str(), 1);
    else
      ::unsetenv(before.name.c_str());
}

}  // namespace earl::hosted_backend
