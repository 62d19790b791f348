// SPDX-License-Identifier: BSD-3-Clause
/// Names of signals in sentences.
#pragma once

#include <fmt/format.h>

#include <cstring>
#include <string>

namespace earl {

/// "SIGSEGV (Segmentation fault)".
inline std::string signal_name(int number) {
  char const* const name = ::sigabbrev_np(number);
  return name ? fmt::format("SIG{} ({})", name, ::strsignal(number))
              : fmt::format("signal {}", number);
}

}  // namespace earl
