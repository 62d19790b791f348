// SPDX-License-Identifier: BSD-3-Clause
#pragma once

namespace earl::exec {

/// The purpose of an EXEC.
enum class Serving {
  job,        ///< until its processes have ended
  partition,  ///< and as long as it holds a partition (earl keep)
  session,    ///< until the user ends it (earl session)
};

}  // namespace earl::exec
