// SPDX-License-Identifier: BSD-3-Clause
/// Frames of programs in a shared process, for the C++ unwinder.
#pragma once

#include "generic/seams/shared_process.hpp"

namespace earl::exec {

/// From now on the unwinder finds its way through the programs that the shared process has loaded.
/// Null: no more.
void show_frames(SharedProcess const* shared_process);

}  // namespace earl::exec
