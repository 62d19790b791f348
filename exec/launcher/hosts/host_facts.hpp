// SPDX-License-Identifier: BSD-3-Clause
/// A host's description of itself.
#pragma once

#include "generic/services/notices.hpp"

namespace earl::exec {

HostFacts facts_of_this_host();

}  // namespace earl::exec
