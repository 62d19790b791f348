// SPDX-License-Identifier: BSD-3-Clause
/// How a library says which of its routines only say that they are not there yet.
#pragma once

namespace earl {

/// Records the function it is inlined into in the library's section `earl_stubs`, which `earl info`
/// reads: a list kept by hand would become stale. Each entry is the distance from itself to a place
/// in the function.
[[gnu::always_inline]] inline void note_stub() {
  asm volatile(
      ".pushsection earl_stubs, \"a\", @progbits\n"
      ".balign 4\n"
      ".long 1f - .\n"
      ".popsection\n"
      "1:");
}

}  // namespace earl
