// SPDX-License-Identifier: BSD-3-Clause
/// The page that view.cpp puts a run into: view_page.html, made a constant by Meson.
#pragma once

#include <string_view>

namespace earl::analyse {

/// Where it says "/*RUN*/null" the run comes, as JSON.
extern std::string_view const view_page;

}  // namespace earl::analyse
