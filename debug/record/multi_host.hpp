// SPDX-License-Identifier: BSD-3-Clause
/// Recording on hosts whose files EXEC may not see: processes write where they are, and what they
/// have written comes home while they run.
#pragma once

#include "generic/seams/tool.hpp"

namespace earl::record {

extern MultiHostHooks const multi_host;

}  // namespace earl::record
