// SPDX-License-Identifier: BSD-3-Clause
/// Matching of PVM's names: the mailbox's, and pvmmatchstring().
#pragma once

#include <string_view>

namespace earl::pvm {

/// Whether the name holds the pieces between the stars of the pattern, in that order. A star behind
/// a backslash is a character, as is in PVM a backslash that starts a piece. The manual says
/// regular expressions; the native daemon does this.
bool fits(std::string_view name, std::string_view pattern);

}  // namespace earl::pvm
