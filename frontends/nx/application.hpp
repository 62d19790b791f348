// SPDX-License-Identifier: BSD-3-Clause
/// What a Paragon program says on its command line and in calls about the application it wants.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace earl::nx {

/// A mesh of nodes.
struct Shape {
  std::int32_t rows = 1;
  std::int32_t columns = 1;
};

/// Tells the nodes of an application its shape ("3x4"), where it asked for one.
inline constexpr char const* shape_variable = "EARL_NX_RECT";

/// "12" or "3x4". EQPARAM.
Shape shape_of(std::string_view text);

/// Takes the system's switches out of argv, which stays ended by a null pointer; `count` is what is
/// left. Gives what -sz says; null: nothing. EQPARAM.
std::optional<Shape> take_switches(std::int32_t& count, char** argv);

}  // namespace earl::nx
