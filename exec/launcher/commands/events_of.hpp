// SPDX-License-Identifier: BSD-3-Clause
/// The events of a recording.
#pragma once

#include <string>

#include "exec/launcher/commands/recordings.hpp"

namespace earl::exec {

/// The recording's whole path, where its events are: a replay makes them unless they are there.
/// Throws Error when the recording cannot be replayed, or must not be.
std::string events_of(RecordingChoice const& recording);

}  // namespace earl::exec
