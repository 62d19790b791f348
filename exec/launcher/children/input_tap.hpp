// SPDX-License-Identifier: BSD-3-Clause
/// EXEC's standard input on its way to the process that reads it, and to debuggers that keep it.
#pragma once

#include <functional>
#include <vector>

#include "exec/launcher/events/loop.hpp"
#include "generic/base/bytes.hpp"

namespace earl::exec {

/// Reads no further ahead than the pipe holds. A terminal is read only while EXEC is in the
/// foreground there.
class InputTap {
 public:
  using OnInput = std::function<void(Bytes)>;

  /// `way` is the writing end of the reader's pipe. Throws Error.
  InputTap(Loop& loop, Descriptor way, OnInput on_input);
  ~InputTap();
  InputTap(InputTap const&) = delete;
  InputTap& operator=(InputTap const&) = delete;

 private:
  void read_input();
  void await_source();
  void await_room();
  bool pass_on();
  bool read_some();
  void end();

  Loop& loop_;
  Descriptor way_;
  OnInput on_input_;
  std::vector<std::byte> held_;  ///< read, and not written yet
  bool source_watched_ = false;
  bool way_watched_ = false;
};

}  // namespace earl::exec
