// SPDX-License-Identifier: BSD-3-Clause
/// The counters of a job's switch ports, as text.
#pragma once

#include <string>

#include "backends/myrinet/memory.hpp"

namespace earl::myrinet {

/// A line for each port that is cabled or that something went through.
std::string counters_of(Memory& memory);

/// Writes them to the file that EARL_MYRINET_COUNTERS names, - is standard error, if it does. Says
/// when it cannot.
void report_counters(Memory& memory, std::uint32_t rejected_connections = 0);

}  // namespace earl::myrinet
