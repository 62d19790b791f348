// SPDX-License-Identifier: BSD-3-Clause
/// From one stack to another: switch_to().
#pragma once

#if defined(__x86_64__)
#include "backends/fibers/switch_x86_64.hpp"
#elif defined(__aarch64__)
#include "backends/fibers/switch_aarch64.hpp"
#endif
