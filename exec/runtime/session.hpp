// SPDX-License-Identifier: BSD-3-Clause
/// Sessions, for programs that were started without EXEC (Role::bare) and share one: an EXEC that
/// this user's programs find, and join, until the user ends it.
#pragma once

namespace earl::boot {

/// The caller becomes a member of this user's session; its Rank and id table are others then.
/// False: there is none. Throws Error.
bool join_session(char const* front_end);
/// The caller starts this user's session and becomes its first member, of Rank 0. False: there is a
/// session already. Throws Error.
bool start_session(char const* front_end);

}  // namespace earl::boot
