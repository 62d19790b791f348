// SPDX-License-Identifier: BSD-3-Clause
/// The module with MPI in it, loaded by processes that run on MPI only.
#pragma once

#include <string>

#include "backends/hosted/native.h"

namespace earl::mpi_backend {

/// Loads the one at `path`, for good. Throws Error with the loader's reason.
earl_library_calls const& load_module(std::string const& path);

}  // namespace earl::mpi_backend
