// SPDX-License-Identifier: BSD-3-Clause
/// The debuggers of a job, as EXEC names them to its processes.
#pragma once

#include <cstdint>
#include <string>

#include "generic/base/bytes.hpp"

namespace earl::control {

inline constexpr std::uint32_t most_tools = 64;  ///< that a user asks for

/// A debugger that was asked for: its name in debug/registry and its argument.
struct ToolUse {
  std::string name;
  std::string argument;

  template <class Self, class Visit>
  static void fields(Self& self, Visit& visit) {
    visit(self.name, self.argument);
  }
  bool operator==(ToolUse const&) const = default;
};

/// Bytes of a debugger's half in a process for its half in EXEC.
struct Note {
  std::string debugger;
  Buffer bytes{};

  template <class Self, class Visit>
  static void fields(Self& self, Visit& visit) {
    visit(self.debugger, self.bytes);
  }
};

}  // namespace earl::control
