// SPDX-License-Identifier: BSD-3-Clause
/// The MPI libraries that jobs can run on.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "generic/seams/backend.hpp"

namespace earl::mpi_backend {

struct Mpi {
  std::string_view word;      ///< as EARL_MPI names it
  std::string_view title;     ///< as people do
  std::string_view module;    ///< the file with Earl's calls of it
  std::string_view launcher;  ///< its mpiexec
  std::string_view package;   ///< Debian's, with the launcher
  std::string_view sources;   ///< Debian's package with the headers to build the module
  std::string_view rank;      ///< the variable in which its launcher numbers processes
  std::string_view all;       ///< that in which it says how many there are
  std::string_view here;      ///< and on this host
  std::vector<std::string_view> prefixes;  ///< of all that it sets
  std::string_view folder;  ///< the variable for where its files are shared; empty: it has none
  std::vector<std::string> options;  ///< for the launcher: as root, more processes than CPUs
  /// More options over several hosts; `shell` is its replacement of ssh, `hosts` has each rank's.
  std::vector<std::string> (*spread)(std::string const& shell,
                                     std::span<std::uint32_t const> hosts);
  std::vector<std::string> spread_settings;
  std::vector<std::string> settings;  ///< for its environment: nothing of the program's is touched
};

/// The variables in which a launcher numbers its processes and says how many there are.
struct PlaceVariables {
  char const* rank;
  char const* all;
};
inline constexpr PlaceVariables mpich_place{"PMI_RANK", "PMI_SIZE"};
inline constexpr PlaceVariables open_mpi_place{"OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE"};

/// Names one to EXEC, and to a process the one that EXEC has chosen.
inline constexpr char library_variable[] = "EARL_MPI";

std::span<Mpi const> libraries();
/// Throws Error when there is none of that name.
Mpi const& library_named(std::string_view word);
/// The path of its module; empty: this Earl was built without it.
std::string find_module(Mpi const& library);

/// The result of the search for a library.
struct Presence {
  bool part = false;  ///< the module that Earl's build makes for it
  bool launcher = false;
};
Presence look_for(Mpi const& library);
/// The text for users that want to know the package to install.
NativeLibrary description(Mpi const& library, Presence found);

/// Why this Earl cannot use it, with any launcher; empty: it can.
std::string objection_to_part(Mpi const& library);
/// Why a library cannot be used here, with the name of the package; empty: it can.
std::string objection_to(Mpi const& library);
/// The one that EARL_MPI names, else the first that can be used here. Throws Error, with the name
/// of the package, when it cannot or none can.
Mpi const& choose_library();

}  // namespace earl::mpi_backend
