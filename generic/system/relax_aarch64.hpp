// SPDX-License-Identifier: BSD-3-Clause
/// Waiting loops on arm64.
#pragma once

namespace earl {

/// Marks a waiting loop for the CPU.
inline void relax() { asm volatile("yield"); }

}  // namespace earl
