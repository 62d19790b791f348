// SPDX-License-Identifier: BSD-3-Clause
/// The module with libpvm3 in it: a file beside libearl.so, loaded by processes that run on PVM
/// only.
#pragma once

#include <string>

#include "backends/pvm/native.h"

namespace earl::pvm_backend {

/// Its path. Throws Error when this Earl has none.
std::string find_module();

/// Loads the one at `path`, for good. Throws Error with the loader's reason.
earl_pvm_native const& load_module(std::string const& path);

}  // namespace earl::pvm_backend
