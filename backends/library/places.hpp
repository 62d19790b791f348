/// The places that a library's launcher keeps for processes of this host: what it hands down to a
/// placeholder (`earl-place`) goes on to the process, which EXEC starts.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "backends/library/launcher.hpp"
#include "backends/library/library.hpp"
#include "generic/descriptor.hpp"
#include "generic/values.hpp"

namespace earl::library_machine {

/// One process's place in the library's world.
struct Place {
  Descriptor line;       ///< to the placeholder, which ends when it is closed
  Descriptor variables;  ///< memory: `NAME=value`, each with a final zero, for the library to find
  Descriptor handed;     ///< by the launcher; none: its variables say all
};
using Places = std::map<Rank, Place>;

/// Names the socket to a placeholder.
inline constexpr char places_variable[] = "EARL_PLACES";

/// Throws Error when there are none to begin with.
void check_processes(Library const& library, std::uint32_t initial);
/// The launcher and its own words.
std::vector<std::string> command_of(Library const& library);
void add(std::vector<std::string>& command, std::vector<std::string> const& words);
/// The words that a placeholder is started by. Throws Error when Earl is not installed whole.
std::vector<std::string> placeholder_of(Library const& library);

/// Waits until all `ranks` have a place. Throws Error when the launcher does not start them.
Places take_places(Launcher& launcher, Library const& library, std::vector<Rank> const& ranks);

/// A sentence's end: what the launcher has said, if anything.
std::string quoted(Launcher const& launcher);
/// Of a launcher that should not have ended. Throws Error.
[[noreturn]] void complain_of_end(Library const& library, Launcher const& launcher);

}  // namespace earl::library_machine
