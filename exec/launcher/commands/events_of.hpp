// SPDX-License-Identifier: BSD-3-Clause
/// The events of a recording.
#pragma once

#include <string>

#include "exec/launcher/commands/recordings.hpp"

namespace earl::exec {

struct RunEvents {
  std::string folder{};  ///< the recording's whole path, where the events are
  int exit_code = 0;     ///< of a command that reads them; 87: the replay did not reach the end
};

/// A replay makes the events unless they are there. Events of a replay that diverged, or failed
/// where the recorded run did not, are for this command only: the next one replays again. Throws
/// Error when the recording cannot be replayed, or must not be.
RunEvents events_of(RecordingChoice const& recording);

/// Like events_of(), for commands that lead to an event; gives the path. Throws Error when the
/// replay did not reach the end.
std::string whole_events_of(RecordingChoice const& recording);

}  // namespace earl::exec
