// SPDX-License-Identifier: BSD-3-Clause
/// The history of a job from the files of its events.
#pragma once

#include <string>

#include "debug/analyse/history.hpp"

namespace earl::analyse {

/// Throws Error when `folder` holds none, or files of different runs.
History load_history(std::string const& folder);

}  // namespace earl::analyse
