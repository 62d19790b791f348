// SPDX-License-Identifier: BSD-3-Clause
#include "frontends/bip/call.hpp"

#include <unistd.h>

namespace earl::bip {

void fail(Process* process, char const* name, Error const& error) {
  if (process)
    process->end(1, fmt::format("bip[{}] {}: {}", process->cell(bip_mynode), name, error.what()));
  // A forked child has no Process to ask.
  auto const line = fmt::format("{}: {}\n", name, error.what());
  [[maybe_unused]] auto const written = ::write(STDERR_FILENO, line.data(), line.size());
  ::_exit(1);
}

}  // namespace earl::bip
