// SPDX-License-Identifier: BSD-3-Clause
/// A run in the Paje format, which pajeng and ViTE read.
#pragma once

#include <string>

#include "debug/analyse/slices.hpp"

namespace earl::analyse {

/// Times are seconds; without times of the hosts, columns of the picture.
std::string paje(Slices& slices);

}  // namespace earl::analyse
