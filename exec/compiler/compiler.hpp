// SPDX-License-Identifier: BSD-3-Clause
/// earlcc and earlfc: the host's own compiler, with the options and libraries that a program of the
/// time expects.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "exec/launcher/front_ends.hpp"
#include "exec/launcher/layout.hpp"
#include "exec/runtime/side.hpp"

namespace earl::exec {

enum class Language { c, fortran };

/// The text to print in place of running the compiler. Flags come without the compiler and without
/// the user's own arguments, as `-showme:compile` and `-showme:link` of Open MPI's wrappers do.
enum class Show { nothing, command, compile_flags, link_flags };

struct Compilation {
  Language language = Language::c;
  std::string front_end{};  ///< empty: not named; usual_front_end, unless the files say another
  Side side = Side::either;
  bool is_application = false;   ///< -nx: its command line names the number of nodes
  bool has_cpp_objects = false;  ///< a linker for C must get the C++ runtime, too
  bool short_words = false;      ///< `long` is to have 4 bytes
  Show show = Show::nothing;
  bool help = false;
  std::string compiler{};              ///< that MPICH's -cc= or -fc= names; empty: none
  std::vector<std::string> arguments;  ///< for the compiler, in order

  bool links() const;
  /// A source among the arguments is C++, by its name.
  bool compiles_cpp() const;
};

/// nx, or the first of a build without it.
FrontEnd const& usual_front_end();

/// `earlcc WRAPPED COMMAND...` runs a stage of a compiler that was given -long32.
inline constexpr std::string_view run_shortened = "-long32-run";

/// Takes earlcc's own options out of the command line. Throws UsageError.
Compilation parse_compilation(Language language, std::vector<std::string> const& arguments);

/// The environment's setting for the compiler; null: none.
struct CompilerChoice {
  char const* own = nullptr;     ///< EARL_CC or EARL_FC
  char const* common = nullptr;  ///< CC or FC, which a Makefile may have set to this wrapper
  std::string wrapper{};         ///< this wrapper's own file
  bool is_cpp = false;           ///< for C++, and `common` is CXX
};

/// The compiler to run, perhaps with options ("ccache gcc"): never the wrapper itself. Throws
/// UsageError when EARL_CC or EARL_FC names the wrapper.
std::string choose_compiler(Language language, CompilerChoice const& choice);

/// The compiler's command line, to be run or shown, the compiler first. `compiler` may
/// hold options ("ccache gcc"). Throws UsageError when there is no such front end.
std::vector<std::string> compiler_command(Compilation const& what, std::string const& compiler,
                                          Layout const& layout);

}  // namespace earl::exec
