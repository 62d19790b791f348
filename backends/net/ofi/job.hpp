// SPDX-License-Identifier: BSD-3-Clause
/// The two halves of a job on libfabric.
#pragma once

#include <string>

namespace earl::net::ofi {

/// The networks here that libfabric reaches by more than TCP, as the system's device classes name
/// them; empty: there are none.
std::string hardware(std::string const& classes = "/sys/class");

}  // namespace earl::net::ofi
