// SPDX-License-Identifier: BSD-3-Clause
/// All that a run shows to be wrong with a program.
#pragma once

#include <cstdint>
#include <string>

namespace earl::analyse {

struct CheckOptions {
  bool json = false;
  bool races = true;        ///< receives that could have got other messages
  bool hazards = true;      ///< deadlocks that only room for messages prevents
  bool collectives = true;  ///< in which members made different calls
  bool types = true;        ///< messages that were received as other types than they were sent as
  bool buffers = true;      ///< of sends, altered before the sends were complete
  bool unreceived = true;   ///< messages that were never received
  bool receives = true;     ///< receives that were posted and never got a message
  bool unreleased = true;   ///< objects that were never given back
  bool reported = false;    ///< the report of a deadlock is on the same terminal already
};

/// Prints the report on standard output; the events are in `folder`, the end of the run, too, if it
/// was recorded. Returns how many findings there are. Throws Error when there are no events.
std::uint64_t print_check(std::string const& folder, CheckOptions const& options);

}  // namespace earl::analyse
