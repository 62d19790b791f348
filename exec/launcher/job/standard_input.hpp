// SPDX-License-Identifier: BSD-3-Clause
/// Standard input of the job's reader, and debuggers that record or replay it.
#pragma once

#include <unistd.h>

#include <memory>
#include <vector>

#include "exec/launcher/children/input_tap.hpp"
#include "exec/launcher/events/loop.hpp"
#include "exec/launcher/job/interceptors.hpp"
#include "exec/launcher/output/output.hpp"
#include "exec/launcher/plan.hpp"
#include "generic/system/descriptor.hpp"
#include "generic/system/standard_input.hpp"

namespace earl::exec {

class StandardInput {
 public:
  struct Parts {
    Plan const& plan;
    Loop& loop;
    Output& output;
    JobInterceptors const& interceptors;
  };

  explicit StandardInput(Parts const& parts) : parts_(parts) {}

  /// The debuggers are known: chooses between EXEC's standard input, a copy that a debugger
  /// listens to, and recorded input.
  void choose();
  /// The descriptor that the reader reads.
  int fd() const { return input_ ? input_.get() : STDIN_FILENO; }
  /// The reader reads from a terminal.
  bool is_terminal() const { return terminal_; }

 private:
  void listen(std::vector<InputListener*> listeners);

  Parts parts_;
  bool terminal_ = ::isatty(STDIN_FILENO) == 1;
  Descriptor input_;  ///< none: EXEC's standard input itself
  std::unique_ptr<InputTap> tap_;
};

}  // namespace earl::exec
