// SPDX-License-Identifier: BSD-3-Clause
#include "frontends/nx/call.hpp"

namespace earl::nx {

void fail_plainly(Process* process, char const* name, Error const& error) {
  if (process) {
    State& me = state_of(*process);
    process->end(
        1, fmt::format("(node {}, pid {}) {}: {}", me.cube().me(), me.pid(), name, error.what()));
  }
  end_forked_child(error);
}

}  // namespace earl::nx
