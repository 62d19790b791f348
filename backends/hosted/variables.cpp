// SPDX-License-Identifier: BSD-3-Clause
#include "backends/hosted/variables.hpp"

#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>

#include "generic/base/error.hpp"

namespace earl::hosted_backend {

std::vector<std::string> read_variables(int memfd) {
  struct stat status {};
  if (::fstat(memfd, &status) != 0 || !S_ISREG(status.st_mode))
    throw Error("descriptor {} is not the memory file of the launcher's environment", memfd);
  std::string all(static_cast<std::size_t>(status.st_size), '\0');
  auto const got = ::pread(memfd, all.data(), all.size(), 0);
  if (got < 0) throw Error("the launcher's environment cannot be read: {}", system_message(errno));
  if (got != status.st_size)
    throw Error("the launcher's environment has {} bytes, not {}", got, status.st_size);
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

}  // namespace earl::hosted_backend
