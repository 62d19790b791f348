// SPDX-License-Identifier: BSD-3-Clause
/// The program's heap, where foreign libraries have allocated too. Programs of the time read memory
/// from malloc before they write it; without Earl it is zero.
#pragma once

namespace earl::heap {

/// Takes all free memory of the program's heap, for good, so that the next blocks of malloc() are
/// memory that has never been written. For a thread that has loaded and begun a library which
/// allocates as the program does, before main. It costs that memory (some 250 KB with MPICH) and a
/// block of each of a hundred sizes, most of them addresses only. Does nothing where the program's
/// malloc() is not the C library's.
void retire_free_memory() noexcept;

}  // namespace earl::heap
