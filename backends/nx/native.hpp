// SPDX-License-Identifier: BSD-3-Clause
/// An NX library as backends/hosted uses it, loaded only by processes that run on it.
#pragma once

#include <string>

#include "backends/hosted/native.h"

namespace earl::nx_backend {

/// The path of the NX library. Throws Error when there is none.
std::string find_library();

/// Loads it, for good; its launcher's variables must be in the environment. Throws Error with the
/// loader's reason, or when it is no NX library.
earl_library_calls const& load_native();

}  // namespace earl::nx_backend
