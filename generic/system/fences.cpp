// SPDX-License-Identifier: BSD-3-Clause
#include "generic/system/fences.hpp"

#include <linux/membarrier.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace earl {

namespace {

bool membarrier(int command) { return ::syscall(SYS_membarrier, command, 0, 0) == 0; }

}  // namespace

Fences::Fences(bool one_sided)
    : one_sided_(one_sided),
      own_(!one_sided || !membarrier(MEMBARRIER_CMD_REGISTER_GLOBAL_EXPEDITED)) {}

bool Fences::can_be_one_sided() {
  long const known = ::syscall(SYS_membarrier, MEMBARRIER_CMD_QUERY, 0, 0);
  return known > 0 && (known & MEMBARRIER_CMD_GLOBAL_EXPEDITED) != 0;
}

bool Fences::all() const {
  fence();
  return !one_sided_ || membarrier(MEMBARRIER_CMD_GLOBAL_EXPEDITED);
}

}  // namespace earl
