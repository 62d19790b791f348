// SPDX-License-Identifier: BSD-3-Clause
/// What a host says of itself.
#pragma once

#include "generic/services/notices.hpp"

namespace earl::exec {

HostFacts facts_of_this_host();

}  // namespace earl::exec
