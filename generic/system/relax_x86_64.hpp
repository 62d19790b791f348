// SPDX-License-Identifier: BSD-3-Clause
/// Waiting loops on x86-64.
#pragma once

namespace earl {

/// Marks a waiting loop for the CPU.
inline void relax() { __builtin_ia32_pause(); }

}  // namespace earl
