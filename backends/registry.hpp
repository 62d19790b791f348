// SPDX-License-Identifier: BSD-3-Clause
/// The back ends this Earl was built with. The rows are written by Meson, one per folder.
#pragma once

#include <span>
#include <string_view>

#include "generic/seams/backend.hpp"

namespace earl {

std::span<Backend const* const> back_ends();
/// Null: no such back end in this build.
Backend const* find_back_end(std::string_view name);

}  // namespace earl
