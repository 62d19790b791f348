// SPDX-License-Identifier: BSD-3-Clause
/// The command line and the calls by which a Paragon program describes its application.
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

/// Sends the nodes of an application its shape ("3x4"), if it requested one.
inline constexpr char const* shape_variable = "EARL_NX_RECT";

/// "12" or "3x4". EQPARAM.
Shape shape_of(std::string_view text);

/// Removes the system's switches from argv, which stays ended by a null pointer; `count` is
/// updated. Returns the value of -sz; null: there is none. EQPARAM.
std::optional<Shape> take_switches(std::int32_t& count, char** argv);

}  // namespace earl::nx
