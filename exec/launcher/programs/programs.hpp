// SPDX-License-Identifier: BSD-3-Clause
/// The file that a command means, and whether it can be a process of the job.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "exec/launcher/front_ends.hpp"
#include "exec/launcher/programs/elf.hpp"
#include "generic/base/error.hpp"
#include "generic/services/operations.hpp"

namespace earl::exec {

inline constexpr int exit_refused = 88;
inline constexpr int exit_not_executable = 126;
inline constexpr int exit_not_found = 127;

/// Why a command will not be started.
class Refusal : public Error {
 public:
  Refusal(int exit_code, SpawnFault fault, std::string const& sentence)
      : Error("{}", sentence), exit_code_(exit_code), fault_(fault) {}
  int exit_code() const { return exit_code_; }
  SpawnFault spawn_fault() const { return fault_; }

 private:
  int exit_code_;
  SpawnFault fault_;
};

struct Program {
  std::string path{};
  std::string front_end;  ///< empty: a wrapper or script, the process itself will declare it
  Side side = Side::either;
  bool of_the_core = false;  ///< of no front end, written straight to the core
};

struct ProgramQuery {
  std::string name;
  std::vector<std::string> arguments{};  ///< without argv[0]
  /// Where to look for a name without '/', before PATH.
  std::vector<std::string> folders{};
  std::string working_folder{};  ///< base of relative names; empty: EXEC's own
  /// Earl's own library folders, where a program's libraries may come from.
  std::vector<std::string> libraries{};
};

/// The file a name means; one that is there but cannot run is found, too. Throws Refusal.
std::string find_file(ProgramQuery const& query);
/// The front end that an ELF file is linked with, itself or by its libraries, the system's too;
/// null: no front end of Earl's. `folders`: as ProgramQuery::libraries.
FrontEnd const* front_end_of(FileFacts const& facts, std::string const& path,
                             std::vector<std::string> const& folders);
/// The one that an ELF file is linked with and this build leaves out; null: none.
FrontEnd const* left_out_of(FileFacts const& facts);
/// The first of `folders` that has it; empty: none.
std::string find_library(std::string_view library, std::vector<std::string> const& folders);

/// Earl's libraries that the program would find elsewhere first, in a folder that was written into
/// it; to be preloaded.
std::vector<std::string> libraries_found_elsewhere(std::string const& path,
                                                   std::vector<std::string> const& folders);
/// Why a program for an MPI that no front end stands in for will not be started.
std::string objection_to_mpi(std::string_view library);

/// Its name for people: the last part of its path.
std::string base_name(std::string_view path);

/// Throws Refusal.
Program find_program(ProgramQuery const& query);

}  // namespace earl::exec
