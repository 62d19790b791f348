// SPDX-License-Identifier: BSD-3-Clause
/// A run as one SVG drawing: a lane per rank, an arrow per message, racing receives in red.
#pragma once

#include <cstddef>
#include <string>

namespace earl::analyse {

/// More messages would be a drawing that shows nothing.
inline constexpr std::size_t most_drawn_messages = 2000;

/// Writes the drawing of the run whose events are in `folder` to `file`; "-" is standard output.
/// Throws Error when there are no events, more than `most_drawn_messages` messages, or `file`
/// cannot be written; then no file is left.
void write_drawing(std::string const& folder, std::string const& file);

}  // namespace earl::analyse
