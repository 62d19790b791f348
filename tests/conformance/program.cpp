// SPDX-License-Identifier: BSD-3-Clause
/// One of the programs of this folder, which EARL_PROGRAM names.

namespace earl {

class Process;

namespace conformance {

namespace EARL_PROGRAM {
void run(Process& me, int n);
}

void run(Process& me, int n) { EARL_PROGRAM::run(me, n); }

}  // namespace conformance
}  // namespace earl
