// SPDX-License-Identifier: BSD-3-Clause
/// A run as a picture: in one HTML file that needs no network, or as SVG.
#pragma once

#include <string>

namespace earl::analyse {

/// Writes the picture of the run whose events are in `folder` to `file`; "-" is standard output. A
/// name that ends in .svg gets a drawing, as drawing.hpp has it, another one an HTML page.
/// Throws Error when there are no events or `file` cannot be written; then no file is left.
void write_view(std::string const& folder, std::string const& file);

/// Writes one HTML page of two runs to `file`: the differences of both, and their first ones.
/// Throws likewise.
void write_view(std::string const& a, std::string const& b, std::string const& file);

}  // namespace earl::analyse
