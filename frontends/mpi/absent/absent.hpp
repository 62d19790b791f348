// SPDX-License-Identifier: BSD-3-Clause
/// Functions that programs which were compiled with MPICH may name and that are not here.
#pragma once

#include "frontends/common/stub.hpp"

namespace earl::mpi {

/// Ends the program with a sentence that names the function. Inlined callers are noted as stubs.
[[noreturn]] void refuse(char const* name, char const* why);

}  // namespace earl::mpi

/// Defines a function by both names. Weak: once it is written, that one counts.
#define EARL_MPI_ABSENT(name, why)         \
  extern "C" [[gnu::weak]] int P##name() { \
    earl::note_stub();                     \
    earl::mpi::refuse(#name, why);         \
  }                                        \
  extern "C" [[gnu::weak, gnu::alias("P" #name)]] int name();
