// SPDX-License-Identifier: BSD-3-Clause
#include "frontends/bip/call.hpp"

namespace earl::bip {

void fail(Process* process, char const* name, Error const& error) {
  if (process)
    process->end(1, fmt::format("bip[{}] {}: {}", process->cell(bip_mynode), name, error.what()));
  end_forked_child(error);
}

}  // namespace earl::bip
