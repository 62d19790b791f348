// SPDX-License-Identifier: BSD-3-Clause
/// A line to EXEC for a child that a process forks.
#pragma once

#include "generic/system/descriptor.hpp"

namespace earl::boot {

struct ForkLine {
  Descriptor child;  ///< the child's end
  Descriptor exec;   ///< EXEC's, until it has it
};

/// Throws Error when the system has no more.
ForkLine make_fork_line();

/// In the child: waits until EXEC has welcomed it. When it never will, the child ends without a
/// word: its parent says why.
void await_welcome(Descriptor const& channel);

/// In the parent, of a child that was not taken in and ends therefore.
void mark_ended(int unix_pid);

}  // namespace earl::boot
