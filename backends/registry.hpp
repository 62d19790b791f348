// SPDX-License-Identifier: BSD-3-Clause
/// The back ends this Earl was built with. The rows are written by Meson, one per folder.
#pragma once

#include <span>
#include <string_view>

#include "generic/seams/backend.hpp"

namespace earl {

/// The back ends for users.
std::span<Backend const* const> back_ends();
/// The back ends for authors of back ends, which no list but that of `earl info --backends` has.
std::span<Backend const* const> unlisted_back_ends();
/// One of either. Null: no such back end in this build.
Backend const* find_back_end(std::string_view name);
/// The names of those that this build leaves out (-Dbackends=).
std::span<std::string_view const> left_out_back_ends();

}  // namespace earl
