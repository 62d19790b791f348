// SPDX-License-Identifier: BSD-3-Clause
/// A run as an archive in the Open Trace Format 2, which Vampir, Scalasca, Cube and otf2-print
/// read.
#pragma once

#include <string>

#include "debug/analyse/slices.hpp"

namespace earl::analyse {

/// Writes `folder`/traces.otf2 and what belongs to it; `folder` must not exist. Throws Error, and
/// leaves no part of it.
void write_otf2(Slices& slices, std::string const& folder);

/// Why this installation cannot; empty: it can.
std::string otf2_unavailable();

}  // namespace earl::analyse
