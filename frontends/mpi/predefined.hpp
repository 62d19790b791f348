// SPDX-License-Identifier: BSD-3-Clause
/// Standard, 4.9.2: which predefined operation does what to which predefined datatype.
#pragma once

#include "frontends/mpi/handles.hpp"
#include "generic/collectives/collectives.hpp"

namespace earl::mpi {

/// No function: there is no such operation, or not for that datatype.
Combine predefined_combine(Handle op, Handle datatype);

}  // namespace earl::mpi
