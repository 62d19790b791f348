// SPDX-License-Identifier: BSD-3-Clause
/// Recording on hosts whose files EXEC may not see: processes write locally, and their pieces are
/// transferred while they run.
#pragma once

#include "generic/seams/tool.hpp"

namespace earl::record {

extern MultiHostHooks const multi_host;

}  // namespace earl::record
