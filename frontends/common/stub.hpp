// SPDX-License-Identifier: BSD-3-Clause
/// The list in a library of its routines that only say that they are not there yet.
#pragma once

namespace earl {

/// Records the function it is inlined into in the library's section `earl_stubs`, which `earl info`
/// reads: a list kept by hand would become stale. Each entry is the distance from itself to a place
/// in the function. Static, since the linker drops all but one copy of an inline function, and the
/// entries of the others would be left without a place.
[[gnu::always_inline]] static inline void note_stub() {
  asm volatile(
      ".pushsection earl_stubs, \"a\", @progbits\n"
      ".balign 4\n"
      ".long 1f - .\n"
      ".popsection\n"
      "1:");
}

}  // namespace earl
