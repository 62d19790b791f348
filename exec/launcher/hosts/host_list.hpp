// SPDX-License-Identifier: BSD-3-Clause
/// The hosts that the user names, and which process runs where.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "exec/launcher/requested_host.hpp"

namespace earl::exec {

/// "a:2,b:2,c". Throws UsageError.
std::vector<RequestedHost> parse_hosts(std::string_view text);
/// A host a line: `a`, `a:2` or `a slots=2`; from # on it is a remark. Throws UsageError.
std::vector<RequestedHost> read_host_file(std::string const& path);

/// Throws UsageError when they make no list: none, too many, one twice, a name that is none.
void check_hosts(std::vector<RequestedHost> const& hosts);

/// Slots of all together.
std::uint32_t slots_of(std::vector<RequestedHost> const& hosts);
/// The host of the n-th process: each gets as many as it has slots, then all again.
std::uint32_t host_for(std::vector<RequestedHost> const& hosts, std::uint32_t n);

/// Whether that is this host's own name.
bool is_this_host(std::string_view name);

}  // namespace earl::exec
