// SPDX-License-Identifier: BSD-3-Clause
/// The hosts of a running virtual machine.
#pragma once

#include <string>
#include <vector>

namespace earl::pvm_backend {

/// By the names that the daemon at this socket has for them; this one by its own. Throws Error.
std::vector<std::string> hosts_of(std::string const& socket);

}  // namespace earl::pvm_backend
