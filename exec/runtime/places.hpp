// SPDX-License-Identifier: BSD-3-Clause
/// Where an address is in the program's source, for front ends' reports.
#pragma once

#include <string>

namespace earl::boot {

/// "file:line" of a return address of this process or of one of its ranks; "module+offset" when
/// nothing better is known. Slow: it reads debug information.
std::string place_of(void const* address);

}  // namespace earl::boot
