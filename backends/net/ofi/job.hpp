// SPDX-License-Identifier: BSD-3-Clause
/// The two halves of a job whose link is libfabric.
#pragma once

#include <memory>
#include <span>
#include <string>

#include "generic/seams/backend.hpp"

namespace earl::net::ofi {

/// In EXEC. Throws Error when this back end has no such library, or Earl no part for it.
std::unique_ptr<PreparedJob> prepare(JobFacts const& facts);
/// In a process, with the descriptors and words of that job. Throws Error.
std::unique_ptr<Port> join(std::span<int const> descriptors, Rank rank);
/// The networks here that libfabric reaches by more than TCP, as the system's device classes name
/// them; empty: there are none.
std::string hardware(std::string const& classes = "/sys/class");
/// Whether Earl has its part for it.
bool is_built();
/// For users that want to know the package to install: loads the library, if it can.
NativeLibrary describe();
/// How many descriptors those are.
inline constexpr std::size_t descriptors_each = 2;

}  // namespace earl::net::ofi
