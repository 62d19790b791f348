// SPDX-License-Identifier: BSD-3-Clause
/// The least of a path that still does what the whole of it does.
#pragma once

#include <functional>

#include "debug/trace/path.hpp"

namespace earl::explore {

/// Leaves out steps, many at first, as long as `still` says yes of the rest; asks at most `most`
/// times. `path` itself is not asked about. (Zeller's delta debugging, to what no single step can
/// be left out of.)
trace::Path shrink(trace::Path path, std::function<bool(trace::Path const&)> const& still,
                   std::size_t most);

}  // namespace earl::explore
