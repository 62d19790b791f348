// SPDX-License-Identifier: BSD-3-Clause
/// Memory that the members of a group on one host share: they read and write it without a message.
#pragma once

#include <cstddef>
#include <memory>

#include "generic/collectives/collectives.hpp"

namespace earl {

/// Collective: `size` bytes, all zeros at first, which last as long as a member keeps them. The
/// group shares no other memory. Throws Error in all members alike: they are on several hosts, or
/// the system gives none of them access to memory of another.
std::shared_ptr<std::byte> share_memory(Process& me, Group const& group, std::size_t size);

}  // namespace earl
