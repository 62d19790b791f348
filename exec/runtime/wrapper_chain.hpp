// SPDX-License-Identifier: BSD-3-Clause
/// Several libraries that wrap the same calls, one before the other.
#pragma once

namespace earl {

/// Where a front end has a second name for each call, with a P before it (MPI_Send, PMPI_Send), a
/// wrapper defines the first and calls the second, so that of several only one would be called.
/// Here each preloaded wrapper's references to second names get the definitions of the next one;
/// the last keeps the front end's. Wrappers that ask for the next one themselves (RTLD_NEXT) need
/// nothing. Once, when all libraries are there and nothing of them runs yet.
void chain_wrappers();

}  // namespace earl
