// SPDX-License-Identifier: BSD-3-Clause
/// From one run to another.
#pragma once

#include "debug/analyse/history.hpp"
#include "debug/trace/path.hpp"

namespace earl::explore {

/// The whole path from the run `from` to the run `to`: each receive and each answer that is not
/// the same in both, and all behind it.
trace::Path differences(analyse::History const& from, analyse::History const& to);

}  // namespace earl::explore
