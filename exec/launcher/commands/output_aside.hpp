// SPDX-License-Identifier: BSD-3-Clause
/// Standard output for a command's own lines alone.
#pragma once

#include <unistd.h>

#include <cstdio>

#include "generic/system/descriptor.hpp"

namespace earl::exec {

/// While it lives, what is written on standard output goes to standard error.
class OutputAside {
 public:
  OutputAside() : before_(::dup(STDOUT_FILENO)) {
    std::fflush(stdout);
    ::dup2(STDERR_FILENO, STDOUT_FILENO);
  }
  ~OutputAside() {
    std::fflush(stdout);
    ::dup2(before_.get(), STDOUT_FILENO);
  }
  OutputAside(OutputAside const&) = delete;
  OutputAside& operator=(OutputAside const&) = delete;

  /// Standard output as it was.
  int own() const { return before_.get(); }

 private:
  Descriptor before_;
};

}  // namespace earl::exec
