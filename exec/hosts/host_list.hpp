/// The hosts that the user names, and which process runs where.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "exec/hosts/host_wish.hpp"

namespace earl::exec {

/// "a:2,b:2,c". Throws UsageError.
std::vector<HostWish> parse_hosts(std::string_view text);
/// A host a line: `a`, `a:2` or `a slots=2`; from # on it is a remark. Throws UsageError.
std::vector<HostWish> read_host_file(std::string const& path);

/// Slots of all together.
std::uint32_t slots_of(std::vector<HostWish> const& hosts);
/// The host of the n-th process: each gets as many as it has slots, then all again.
std::uint32_t host_for(std::vector<HostWish> const& hosts, std::uint32_t n);

/// Whether that is this host's own name.
bool is_this_host(std::string_view name);

/// The command that begins on the host `name`: in the words of `launcher`, %h is the host; `words`
/// are what runs there. Throws UsageError when nothing says where the host goes.
std::vector<std::string> launch_command(std::string_view launcher, std::string const& name,
                                        std::vector<std::string> const& words);

}  // namespace earl::exec
