// SPDX-License-Identifier: BSD-3-Clause
/// The outcome of loading a program, as NX's errors.
#pragma once

#include <cstdint>

#include "generic/services/partitions.hpp"

namespace earl::nx {

/// EQUSEPID, EQNODE, EQNOPROC, EQBADFIL.
void refuse_unless_loaded(LoadAnswer const& answer, std::int32_t pid);

}  // namespace earl::nx
