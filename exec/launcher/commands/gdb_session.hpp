// SPDX-License-Identifier: BSD-3-Clause
/// gdb at the calls of one process of a recorded run, which runs without the others.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <string>
#include <string_view>

#include "exec/launcher/commands/recordings.hpp"
#include "generic/base/bytes.hpp"
#include "generic/base/values.hpp"
#include "generic/system/descriptor.hpp"

namespace earl::exec {

/// gdb starts with the first command and stays; what it has come to once it comes to again in as
/// long as a fork takes (debug/replay/fork_server.hpp).
class GdbSession {
 public:
  GdbSession(RecordingChoice recording, Rank rank)
      : recording_(std::move(recording)), rank_(rank) {}
  GdbSession(GdbSession const&) = delete;
  GdbSession& operator=(GdbSession const&) = delete;
  /// Ends gdb and the process.
  ~GdbSession() { end(); }

  /// The output of a command of gdb's in the call `event` of the process, which has not begun.
  /// Blocks as long as gdb takes. Throws Error: gdb's, or why it did not come there.
  std::string output_of(std::string_view command, std::uint64_t event);

 private:
  void start();
  void end();
  bool receive(MutableBytes bytes);

  RecordingChoice recording_;
  Rank rank_;
  pid_t child_ = 0;  ///< 0: gdb has not been started, or has ended
  Descriptor line_{};
  Descriptor complaints_{};
};

}  // namespace earl::exec
