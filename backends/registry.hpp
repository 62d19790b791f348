/// The machines this Earl was built with. The rows are written by Meson, one per folder.
#pragma once

#include <span>
#include <string_view>

#include "generic/backend.hpp"

namespace earl {

std::span<Backend const* const> back_ends();
/// Null: no such back end in this build.
Backend const* find_back_end(std::string_view name);

}  // namespace earl
