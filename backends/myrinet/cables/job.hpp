// SPDX-License-Identifier: BSD-3-Clause
/// Jobs whose switches are processes: EXEC's half, and how a process joins.
#pragma once

#include <memory>
#include <span>

#include "backends/myrinet/bip_routes.hpp"
#include "backends/net/engine.hpp"
#include "generic/seams/backend.hpp"

namespace earl::myrinet::cables {

inline constexpr std::size_t descriptors_each = 4;

/// Throws Error when the system has no room for the switches.
std::unique_ptr<PreparedJob> prepare(JobFacts const& facts, ConfiguredNetwork const& network);
/// On the running network called `name`; `configuration`: a file of BIP's, or empty.
std::unique_ptr<PreparedJob> prepare_on(std::string const& name, std::string const& configuration,
                                        JobFacts const& facts);
std::unique_ptr<Port> join(std::span<int const> descriptors, Rank rank, net::OnLoss on_loss);

}  // namespace earl::myrinet::cables
