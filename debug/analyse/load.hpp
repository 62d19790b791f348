// SPDX-License-Identifier: BSD-3-Clause
/// The history of a job from the files of its events.
#pragma once

#include <string>
#include <vector>

#include "debug/analyse/history.hpp"

namespace earl::analyse {

/// The events of a job, by rank.
struct Events {
  std::vector<Source> sources{};
  std::uint32_t initial = 0;  ///< ranks from this one on were started by others
};
/// Throws Error as load_history().
Events open_events(std::string const& folder);

/// Throws Error when `folder` holds none, or files of different runs.
History load_history(std::string const& folder);

}  // namespace earl::analyse
