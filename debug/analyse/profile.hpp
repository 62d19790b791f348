// SPDX-License-Identifier: BSD-3-Clause
/// Where a run spent its calls, messages, bytes and, where times were kept, its waits.
#pragma once

#include <string>

namespace earl::analyse {

struct ProfileOptions {
  bool json = false;
  bool timed = false;  ///< the events are the run's own, not a replay's
};

/// Prints it, by call and place, by pair of ranks and by size. Throws Error when `folder` holds no
/// events.
void print_profile(std::string const& folder, ProfileOptions const& options);

}  // namespace earl::analyse
