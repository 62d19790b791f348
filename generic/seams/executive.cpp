// SPDX-License-Identifier: BSD-3-Clause
#include "generic/seams/executive.hpp"

#include <unistd.h>

#include <cstdio>
#include <cstdlib>

#include "generic/base/error.hpp"

namespace earl {

void Executive::enclose(int) {
  throw Error(Fault::no_job, "descriptors do not travel on this process's line to EXEC");
}

void Executive::print(std::string_view line) {
  std::fflush(stdout);
  // One write, so that lines of several processes never mix. A failure cannot be reported anywhere.
  [[maybe_unused]] auto const written = ::write(STDERR_FILENO, line.data(), line.size());
}

void Executive::exit(int code) { std::exit(code); }

void Executive::quit(int code) {
  std::fflush(nullptr);
  ::_exit(code);
}

}  // namespace earl
