// SPDX-License-Identifier: BSD-3-Clause
/// The parts of a recording that the earl command needs: its command line, and its contents as
/// text.
#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

namespace earl::trace {

/// The least size of a process's record of which only the latest part is kept, bytes.
inline constexpr std::uint64_t least_keep = 256U << 10;

/// The command that `earl replay` starts again.
struct Recorded {
  std::vector<std::string> command;        ///< as the user typed it, without the recorder's options
  std::string folder;                      ///< working directory of the recorded run
  std::string back_end;                    ///< the back end it ran on; a replay may use another
  std::uint32_t initial = 0;               ///< processes the job was started with
  bool minimal = false;                    ///< outcomes are left out that a replay need not know
  bool dropped_beginning = false;          ///< of a process's record: --keep has
  std::vector<std::string> hosts{};        ///< that it was spread over, "a:2"; none: all ran on one
  std::string version;                     ///< of the Earl that recorded
  std::vector<std::string> programs{};     ///< absolute paths, one per program of the command
  std::vector<std::string> settings{};     ///< KEY=VALUE, of the whole job
  std::vector<std::string> tools{};        ///< NAME or NAME=ARGUMENT
  std::vector<std::string> environment{};  ///< NAME=VALUE
  /// The reason why it must not choose the command; empty: it may.
  std::string objection{};

  /// It has all outcomes.
  bool full() const { return !minimal && !dropped_beginning; }
};

/// Reads `path`/meta.json. Throws Error with one sentence when `path` is not a recording of ours.
Recorded read_command(std::string const& path);

/// Removes the recording `folder`, file by file, and leaves the folder. Throws Error, and leaves
/// all in place, when it holds anything else.
void remove_recording(std::string const& folder);

struct Summary {
  std::string verdict{};  ///< "exit 3", "deadlock", or "no end"
  int exit_code = -1;     ///< -1: it has no end
  std::string back_end{};
  std::vector<std::string> command{};
  std::string fault{};  ///< why it cannot be read; then there is nothing else

  /// One line.
  std::string text() const;
};
/// The end of a recorded run, its back end and its command. Never throws.
Summary summary(std::string const& folder);

struct ShowOptions {
  bool outcomes = false;   ///< also every recorded outcome, one line each
  std::int32_t rank = -1;  ///< only this one; -1: all
};

/// Prints a summary on standard output: per rank the events, wildcard receives, bytes per receive,
/// complete or cut. Returns the exit code: 0, or 1 when something is missing or damaged. Throws
/// Error as read_command() does.
int show(std::string const& path, ShowOptions const& options);
/// The same as JSON, with the outcomes as text; "complete": nothing is missing or damaged.
nlohmann::json as_json(std::string const& path, ShowOptions const& options);

}  // namespace earl::trace
