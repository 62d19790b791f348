// SPDX-License-Identifier: BSD-3-Clause
/// The places that a library's launcher keeps for processes of this host: EXEC starts each process
/// with the variables and descriptors of a placeholder (`earl-place`).
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "backends/hosted/launcher.hpp"
#include "backends/hosted/library.hpp"
#include "generic/base/values.hpp"
#include "generic/system/descriptor.hpp"

namespace earl::hosted_backend {

/// One process's place in the library's world.
struct Place {
  Descriptor line;       ///< to the placeholder, which ends when it is closed
  Descriptor variables;  ///< memory: `NAME=value`, each with a final zero, for the library to find
  Descriptor handed;     ///< by the launcher; none: its variables say all
};
using Places = std::map<Rank, Place>;

/// All of them, and the process that started them.
struct LaunchedProcesses {
  std::unique_ptr<Starter> launcher;
  Places places;
};

/// Names the socket to a placeholder, or is the number of its line.
inline constexpr char places_variable[] = "EARL_PLACES";
/// The command that the user's launcher starts in a place: arguments, each with `argument_end`
/// behind it.
inline constexpr char arguments_variable[] = "EARL_PLACE_WORDS";
inline constexpr char argument_end = '\x1f';

/// Throws Error when there are none to begin with.
void check_processes(Library const& library, std::uint32_t initial);
/// The launcher and its own arguments.
std::vector<std::string> command_of(Library const& library);
void add(std::vector<std::string>& command, std::vector<std::string> const& arguments);
/// The command that starts a placeholder. Throws Error when Earl is not installed whole.
std::vector<std::string> placeholder_of(Library const& library);

/// The place that has reported on `line`, and the launcher's variables for it. No variables: it was
/// none, or its report is incomplete.
struct Reported {
  Place place;
  std::vector<std::string> variables;
};
Reported read_report(Descriptor line);
/// Its number among the processes; no_rank: the launcher has not said.
Rank rank_in(std::vector<std::string> const& variables, std::string_view name);
/// The environment of the process in it: the part of `variables` that is not EXEC's own. Throws
/// Error.
Descriptor in_memory(std::vector<std::string> const& variables, Library const& library);

/// Waits until all `ranks` have a place. Throws Error when the launcher does not start them.
Places take_places(Launcher& launcher, Library const& library, std::vector<Rank> const& ranks);

/// The end of an error message: the launcher's own message, if there is one.
std::string quoted(Starter const& launcher);
/// For a launcher that has ended unexpectedly. Throws Error.
[[noreturn]] void complain_of_end(Library const& library, Starter const& launcher);

}  // namespace earl::hosted_backend
