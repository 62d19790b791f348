// SPDX-License-Identifier: BSD-3-Clause
/// The address of this host at which EXEC listens for its agents.
#pragma once

#include <string>
#include <vector>

#include "exec/launcher/requested_host.hpp"

namespace earl::exec {

/// The names that `--listen` takes besides an address in digits.
inline constexpr char const* listen_auto = "auto";
inline constexpr char const* listen_any = "any";

/// Throws UsageError unless `text` is one of these or an IP address.
void check_listening(std::string const& text);

/// The address to listen at; empty: at all of this host's. For `auto` the loopback's when all hosts
/// are this one, else the one by which this host reaches all others; all addresses only when there
/// is no such one, or a name is known to the launcher alone.
std::string listening_address(std::string const& wanted, std::vector<RequestedHost> const& hosts);

}  // namespace earl::exec
