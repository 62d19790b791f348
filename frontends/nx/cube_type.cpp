// SPDX-License-Identifier: BSD-3-Clause
#include "frontends/nx/cube_type.hpp"

#include <bit>
#include <charconv>

#include "frontends/nx/errors.hpp"

namespace earl::nx {

namespace {

constexpr std::uint32_t most_dimensions = 15;

}  // namespace

std::optional<std::uint32_t> nodes_of_type(std::string_view type) {
  if (type.size() > longest_name)
    throw NxError(EQTYPENAMELEN, "the cube type '{}' has more than {} characters", type,
                  longest_name);
  if (type.empty()) return std::nullopt;
  bool const dimension = type.front() == 'd' || type.front() == 'D';
  auto const digits = type.substr(dimension ? 1 : 0);
  std::uint32_t number = 0;
  auto const parsed = std::from_chars(digits.data(), digits.data() + digits.size(), number);
  if (parsed.ec != std::errc{} || (dimension && number > most_dimensions))
    throw NxError(EQNOCUBE, "'{}' is no cube type; 8 or d3 is a cube of 8 nodes", type);
  auto const nodes = dimension ? 1U << number : number;
  if (!std::has_single_bit(nodes))
    throw NxError(EQNOCUBE, "{} nodes are no hypercube; their number must be a power of 2", nodes);
  return nodes;
}

}  // namespace earl::nx
