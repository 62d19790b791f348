// SPDX-License-Identifier: BSD-3-Clause
/// Tools that are shared libraries of the user's own, written against earl/tool.h.
#pragma once

#include "generic/seams/tool.hpp"

namespace earl {

/// `earl run --tool ./mine.so:ARGUMENT`. Its argument is "PATH:ARGUMENT", or "PATH". Not among
/// tools(), which users name.
extern Tool const outside_tool;

}  // namespace earl
