// SPDX-License-Identifier: BSD-3-Clause
/// Where recordings go that the user has not named, and the list of them.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "debug/trace/show.hpp"
#include "exec/launcher/commands/command_line.hpp"

namespace earl::exec {

inline constexpr char const* recordings_folder = "earl-recordings";

/// The first of earl-recordings/PROGRAM-1, -2, ... that does not exist.
std::string next_recording(std::string const& program);
/// Throws Error with what to do when `recording`, which next_recording() has named, cannot be made.
void check_place_for(std::string const& recording);
/// Makes earl-recordings/latest lead to `recording`, which lies there. Throws Error.
void note_latest(std::string const& recording);
/// Whether the last of `arguments` is a recording's directory, where a program could be meant as
/// well.
bool end_with_recording(std::vector<std::string> const& arguments);
/// A recording that a command reads, and replays when it lacks something.
struct RecordingChoice {
  std::string folder{};
  bool trust = false;  ///< may choose the programs that run here, no matter whose it is

  /// Throws Error when `recorded`, which is there, must not choose the programs that run here: it
  /// is another user's, or names no build of a program.
  void refuse_untrusted(trace::Recorded const& recorded) const;
  /// For a command that records itself: throws UsageError when --trust was given.
  void check_no_trust() const;
  /// The arguments of `earl replay` for it: `options`, then the directory.
  std::vector<std::string> replay_arguments(std::vector<std::string> options) const;
};

/// Adds --trust, which every command has that may replay a recording.
void add_trust_option(CommandLine& line, bool& trust);
/// The target of earl-recordings/latest. Throws UsageError, which names `command`, when there is
/// none.
std::string latest_recording(std::string_view command);
/// Throws Error when `recording` does not exist, or its meta.json is there and cannot be read.
void check_readable(std::string const& recording);
/// Parses `arguments`, whose operand is a recording, with --trust. No folder: none is named. Throws
/// as check_readable(). `check_values` checks the values of the command's options first, so that a
/// wrong one is reported wherever the recording is.
RecordingChoice parse_named_recording(CommandLine& line, std::vector<std::string> const& arguments,
                                      std::function<void()> const& check_values = {});
/// Like parse_named_recording(); returns the target of
/// earl-recordings/latest when none is named. Throws UsageError when there is none.
RecordingChoice parse_recording(CommandLine& line, std::string_view command,
                                std::vector<std::string> const& arguments,
                                std::function<void()> const& check_values = {});

}  // namespace earl::exec
