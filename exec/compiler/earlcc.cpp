/// earlcc and earlfc, one source: EARL_FORTRAN tells which.
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>

#include "exec/compiler/compiler.hpp"
#include "exec/plan.hpp"
#include "exec/programs/programs.hpp"

namespace earl::exec {

namespace {

#ifdef EARL_FORTRAN
constexpr auto language = Language::fortran;
constexpr auto own_name = "earlfc";
constexpr auto variable = "FC";
constexpr auto usual = "gfortran";
#else
constexpr auto language = Language::c;
constexpr auto own_name = "earlcc";
constexpr auto variable = "CC";
constexpr auto usual = "gcc";
#endif

void print_help() {
  fmt::print(
      "Usage: {} [-api NAME] [-show] COMPILER-OPTIONS FILES\n\n"
      "Compiles and links old message-passing programs against a front end of Earl. All that is\n"
      "not listed here goes to the compiler (${}, else {}).\n\n"
      "  -api NAME   the front end (also -NAME), nx when not given:\n",
      own_name, variable, usual);
  for (auto const& row : front_ends())
    fmt::print("                {:<6} {}\n", row.name, row.title);
  fmt::print(
      "  -show       print the command instead of running it\n"
      "  -host -node the program's side of the machine, told to whoever runs it\n"
      "  -nx         taken and dropped\n");
}

int run(std::vector<std::string> const& words) {
  auto const what = parse_compilation(language, words);
  if (what.help) {
    print_help();
    return 0;
  }
  char const* chosen = std::getenv(variable);
  auto const command = compiler_command(what, chosen && *chosen ? chosen : usual, find_layout());
  if (what.show) {
    fmt::print("{}\n", quoted(command));
    return 0;
  }
  std::vector<char*> arguments;
  for (auto const& word : command) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  ::execvp(arguments[0], arguments.data());
  throw Refusal(
      errno == ENOENT ? exit_not_found : exit_not_executable, SpawnFault::not_found,
      fmt::format("the compiler {} cannot be started: {}", command[0], system_message(errno)));
}

int guarded(std::vector<std::string> const& words) {
  try {
    return run(words);
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
