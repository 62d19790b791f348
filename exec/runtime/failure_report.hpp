// SPDX-License-Identifier: BSD-3-Clause
/// The message of a process that is about to end because something failed.
#pragma once

#include <cstdint>
#include <string>

#include "generic/seams/report.hpp"

namespace earl::control {

/// Why a process ends before its time.
struct FailureReport {
  std::int32_t exit_code = 0;  ///< it is about to end with
  std::string sentence;
  Frame place{};  ///< of the call that failed; without a module: none

  template <class Self, class Visit>
  static void fields(Self& self, Visit& visit) {
    visit(self.exit_code, self.sentence, self.place);
  }
};

}  // namespace earl::control
