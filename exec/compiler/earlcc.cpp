// SPDX-License-Identifier: BSD-3-Clause
/// earlcc and earlfc, one source: EARL_FORTRAN distinguishes them.
#include <fmt/format.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "exec/compiler/api_guess.hpp"
#include "exec/compiler/compiler.hpp"
#include "exec/compiler/words.hpp"
#include "exec/launcher/plan.hpp"
#include "exec/launcher/programs/programs.hpp"
#include "exec/launcher/quoted.hpp"
#include "generic/base/words.hpp"

namespace earl::exec {

namespace {

#ifdef EARL_FORTRAN
constexpr auto language = Language::fortran;
constexpr auto own_name = "earlfc";
constexpr auto own_variable = "EARL_FC";
constexpr auto common_variable = "FC";
#else
constexpr auto language = Language::c;
constexpr auto own_name = "earlcc";
constexpr auto own_variable = "EARL_CC";
constexpr auto common_variable = "CC";
#endif

/// Set for the compiler: a script that $CC names may run this wrapper again.
constexpr auto guard_variable = "EARL_COMPILER_WRAPPED";

void print_help() {
  fmt::print(
      "Usage: {} [-api NAME] [-show] COMPILER-OPTIONS FILES\n\n"
      "Compiles and links old message-passing programs against a front end of Earl. All that is\n"
      "not listed here goes to the compiler: ${}, else ${} if that is not this wrapper,\n"
      "else {}. Without an option that begins with -g, -g is added.\n\n"
      "  -api NAME   the front end (also -NAME); when not given, the one whose header the sources\n"
      "              include or whose calls the objects make, else {}:\n",
      own_name, own_variable, common_variable, choose_compiler(language, {}),
      usual_front_end().name);
  for (auto const& row : front_ends())
    fmt::print("                {:<6} {}\n", row.name, row.title);
  fmt::print(
      "  -show       print the command instead of running it\n"
      "  -compile_info\n"
      "  -compile-info\n"
      "  -link_info\n"
      "  -link-info  print the command that compiles, or that links, as MPICH's wrappers do\n"
      "  -showme\n"
      "  -showme:compile\n"
      "  -showme:link\n"
      "              print the command, the flags that compile, or those that link, as Open MPI's\n"
      "              wrappers do\n"
      "  -host -node mark the program as a host or a node program\n"
      "  -nx         the program is a whole application: -sz N on its command line is its number "
      "of\n"
      "              nodes, and it does not see the switches of the system (NX)\n"
      "  -vx -vec -i860 -i4 -Knoieee -Mvect (any -K..., -M...)\n"
      "  -lvec -lkmath -lmach -lhost -lnode\n"
      "              accepted and ignored\n"
      "  -r8 -Mr8    REAL has 8 bytes (earlfc)\n");
  if (language == Language::c)
    fmt::print(
        "  -long32     `long` has 4 bytes, as on the machines of the time (NX, with gcc)\n\n"
        "C++ sources (.C .cc .cpp .cxx .c++): $EARL_CC, else $CXX, else g++. Objects and archives\n"
        "that were compiled from C++ are linked with -lstdc++.\n");
}

/// Does not come back, but for an error.
int execute(std::vector<std::string> const& command) {
  auto const arguments = pointers_to(command);
  ::execvp(arguments[0], arguments.data());
  auto const& compiler = command[0];
  if (errno != ENOENT)
    throw Refusal(
        exit_not_executable, SpawnFault::not_found,
        fmt::format("the compiler {} cannot be started: {}", compiler, system_message(errno)));
  bool const is_package = compiler == "gcc" || compiler == "g++" || compiler == "gfortran";
  throw Refusal(
      exit_not_found, SpawnFault::not_found,
      fmt::format("there is no compiler {} here; {}name another in {}", compiler,
                  is_package ? "apt-get install " + compiler + ", or " : "", own_variable));
}

/// A file without a name, for as long as the compiler reads it.
std::string in_memory(std::string const& text) {
  int const memory = ::memfd_create("earlcc", 0);
  for (std::size_t done = 0; memory >= 0 && done < text.size();) {
    auto const written = ::write(memory, text.data() + done, text.size() - done);
    if (written <= 0) throw Error("no memory for the source: {}", system_message(errno));
    done += static_cast<std::size_t>(written);
  }
  if (memory < 0) throw Error("no memory for the source: {}", system_message(errno));
  return fmt::format("/proc/self/fd/{}", memory);
}

/// The compiler's stage for -long32: preprocessed input is read with short words.
int run_wrapped(std::vector<std::string> command) {
  if (command.empty()) throw UsageError("{} is for the compiler to call", run_shortened);
  if (std::ranges::find(command, "-fpreprocessed") == command.end()) return execute(command);
  auto const source = std::ranges::find_if(
      command, [](auto const& word) { return word.size() > 2 && word.ends_with(".i"); });
  if (source == command.end()) return execute(command);
  std::ifstream file(*source);
  std::ostringstream text;
  text << file.rdbuf();
  if (!file) throw Error("{} cannot be read: {}", *source, system_message(errno));
  *source = in_memory(with_short_words(text.str()));
  return execute(command);
}

int run(std::vector<std::string> const& arguments) {
  if (!arguments.empty() && arguments.front() == run_shortened)
    return run_wrapped({arguments.begin() + 1, arguments.end()});
  auto what = parse_compilation(language, arguments);
  if (what.help) {
    print_help();
    return 0;
  }
  auto const wrapped = std::getenv(guard_variable) != nullptr;
  auto const is_cpp = what.compiles_cpp();
  auto const compiler = choose_compiler(
      language, {.own = what.compiler.empty() ? std::getenv(own_variable) : what.compiler.c_str(),
                 .common = wrapped ? nullptr : std::getenv(is_cpp ? "CXX" : common_variable),
                 .wrapper = std::filesystem::read_symlink("/proc/self/exe").string(),
                 .is_cpp = is_cpp});
  auto const layout = find_layout();
  if (what.front_end.empty())
    what.front_end = guess_front_end(what.arguments, layout);
  else if (auto const doubt = front_end_mismatch(what.arguments, what.front_end, layout);
           !doubt.empty())
    fmt::print(stderr, "{}: {}\n", own_name, doubt);
  what.has_cpp_objects = what.links() && has_cpp_objects(what.arguments);
  auto const command = compiler_command(what, compiler, layout);
  if (what.show != Show::nothing) {
    fmt::print("{}\n", quoted(command));
    return 0;
  }
  ::setenv(guard_variable, "1", 1);
  return execute(command);
}

int guarded(std::vector<std::string> const& arguments) {
  try {
    return run(arguments);
  } catch (UsageError const& error) {
    fmt::print(stderr, "{}: {}\n", own_name, error.what());
    return exit_usage;
  } catch (Refusal const& refusal) {
    fmt::print(stderr, "{}: {}\n", own_name, refusal.what());
    return refusal.exit_code();
  } catch (std::exception const& error) {
    fmt::print(stderr, "{}: {}\n", own_name, error.what());
    return 1;
  }
}

}  // namespace

}  // namespace earl::exec

int main(int argc, char** argv) { return earl::exec::guarded({argv + 1, argv + argc}); }
