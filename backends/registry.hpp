// SPDX-License-Identifier: BSD-3-Clause
/// The back ends this Earl was built with. The rows are written by Meson, one per folder.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "generic/seams/backend.hpp"

namespace earl {

/// Those for users.
std::span<Backend const* const> back_ends();
/// Those for authors of back ends, which no list but that of `earl info --backends` has.
std::span<Backend const* const> unlisted_back_ends();
/// One of either. Null: no such back end in this build.
Backend const* find_back_end(std::string_view name);
/// A sentence about one that this build leaves out (-Dbackends=), and how to have it; empty: it is
/// not one of those.
std::string left_out_back_end(std::string_view name);

}  // namespace earl
