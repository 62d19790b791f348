// SPDX-License-Identifier: BSD-3-Clause
/// The events of a recording.
#pragma once

#include <string>

namespace earl::exec {

/// Has them in `folder`: made by a replay where they are not there yet. Throws Error when the
/// recording cannot be replayed.
void make_events(std::string const& folder);

}  // namespace earl::exec
