// SPDX-License-Identifier: BSD-3-Clause
#include "generic/base/error.hpp"

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <system_error>

namespace earl {

std::string system_message(int number) { return std::generic_category().message(number); }

void check_failed(char const* what, char const* file, int line, std::string_view message) {
  std::fprintf(stderr, "earl: this is a bug in Earl: %s is false at %s:%d%s%.*s\n", what, file,
               line, message.empty() ? "" : ": ", static_cast<int>(message.size()), message.data());
  std::abort();
}

}  // namespace earl
