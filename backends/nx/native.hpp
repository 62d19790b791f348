/// An NX library as backends/library wants it, loaded by who runs on it only.
#pragma once

#include <string>

#include "backends/library/native.h"

namespace earl::nx_machine {

/// The path of the NX library. Throws Error when there is none.
std::string find_library();

/// Loads it, for good; what its launcher has told must be in the environment. Throws Error with the
/// loader's reason, or when it is no NX library.
earl_library_calls const& load_native();

}  // namespace earl::nx_machine
