// SPDX-License-Identifier: BSD-3-Clause
/// A process's report on itself when EXEC asks whether it can go on.
#pragma once

#include <array>
#include <csignal>
#include <cstddef>
#include <functional>
#include <vector>

#include "generic/seams/report.hpp"

namespace earl::boot {

/// The program's part of this thread's stack, without a front end's library for another language:
/// the call that returns to `site`, its caller, and so on; Report::most_frames at most. Without an
/// unwind table for the code in between, `site` alone.
std::vector<Frame> program_stack(void const* site, std::function<Frame(void const*)> const& locate);
/// Whether the code was loaded by the system's loader.
Frame frame_at(void const* address);

/// Causes other than a message that may wake this process: a timer, a signal the program has a
/// handler for, another thread of the program's.
class Wakers {
 public:
  /// The handlers and threads that are there now are the back end's: they wake no program.
  void pass_over_present();
  bool any() const;

 private:
  using Handler = void (*)(int);
  static constexpr std::array signals{SIGALRM, SIGUSR1, SIGUSR2, SIGIO};

  static Handler handler_of(int signal);

  std::array<Handler, signals.size()> handlers_{};  ///< the back end's
  std::ptrdiff_t threads_ = 1;                      ///< the program's first, and the back end's
};

}  // namespace earl::boot
