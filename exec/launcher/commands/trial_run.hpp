// SPDX-License-Identifier: BSD-3-Clause
/// A job in a child of this process, with its output caught.
#pragma once

#include <sys/types.h>

#include <functional>
#include <string>

#include "generic/system/descriptor.hpp"

namespace earl::exec {

/// The exit code of a replay that went another way than the recorded run.
inline constexpr int diverged = 87;

struct TrialRun {
  int exit_code = 0;
  Descriptor output{};  ///< what the programs wrote on standard output
  std::string said{};   ///< Earl's own sentences, "; " between them
};

/// An empty file in memory, for the output of a run. Throws Error.
Descriptor memory_file(char const* name);

/// Runs `job`, which gives an exit code, in a forked child. `reads_input`: it has this process's
/// standard input, else none. Throws Error when there can be no child.
TrialRun run_in_child(std::function<int()> const& job, bool reads_input);

/// Like run_in_child(), with this process's own streams; gives its exit code.
int run_foreground(std::function<int()> const& job);

/// Whether a replay of `recording` that ended so went another way than the recorded run, which may
/// itself have ended with that code.
bool has_diverged(TrialRun const& replay, std::string const& recording);

/// Waits for the end of a child process; gives its exit code, or 128 and the signal that ended it.
int await_exit(pid_t child);

/// The lines that Earl wrote among what else there is, "; " between them.
std::string own_sentences(Descriptor const& file);
/// All of a file.
std::string text_of(Descriptor const& file);

}  // namespace earl::exec
