// SPDX-License-Identifier: BSD-3-Clause
/// The meaning of getcube's second argument.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace earl::nx {

/// The number of nodes of a cube type: a count ("4", "8m4"), or a dimension ("d3"); the letters
/// that follow are boards and memory, which all nodes have here. Null: nothing is said. EQNOCUBE
/// when it is no type or no hypercube, EQTYPENAMELEN.
std::optional<std::uint32_t> nodes_of_type(std::string_view type);

inline constexpr std::size_t longest_name = 15;  ///< of a cube, a cube type, a host

}  // namespace earl::nx
