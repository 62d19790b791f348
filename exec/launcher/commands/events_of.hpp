// SPDX-License-Identifier: BSD-3-Clause
/// The events of a recording.
#pragma once

#include <string>

namespace earl::exec {

/// The recording's whole path, where its events are: a replay makes them unless they are there.
/// Throws Error when the recording cannot be replayed.
std::string events_of(std::string const& recording);

}  // namespace earl::exec
