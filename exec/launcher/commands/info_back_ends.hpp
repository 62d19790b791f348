// SPDX-License-Identifier: BSD-3-Clause
/// The back ends of this Earl, for `earl info --backends`.
#pragma once

namespace earl::exec {

/// Prints each back end with its facts and whether it can run here, which it tries out: some start
/// a daemon or look for libraries, so that it takes a second.
void show_back_ends(bool json);

}  // namespace earl::exec
