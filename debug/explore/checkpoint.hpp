// SPDX-License-Identifier: BSD-3-Clause
/// A place in a run that many trials begin with: such a trial can start there.
#pragma once

#include <span>

#include "debug/trace/path.hpp"

namespace earl::explore {

/// For each rank, the first receive, question and call that one of `paths` is about.
trace::Path first_steps(std::span<trace::Path const* const> paths);

/// Whether a run that takes `path` is as without it until one rank comes to one of `places`, as
/// first_steps() gives them.
bool is_behind(trace::Path const& path, trace::Path const& places);

}  // namespace earl::explore
