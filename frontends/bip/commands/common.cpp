// SPDX-License-Identifier: BSD-3-Clause
#include "frontends/bip/commands/common.hpp"

#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>

namespace earl::bip {

namespace {

/// From the folder of this command: in the build tree, and installed.
constexpr char const* folders[] = {"../../../exec", "../../../bin",
                                   "../../../backends/myrinet/cables", "."};

std::string path_of(std::string const& command) {
  std::error_code wrong;
  auto const here = std::filesystem::read_symlink("/proc/self/exe", wrong).parent_path();
  for (auto const* folder : folders)
    if (auto const path = here / folder / command; ::access(path.c_str(), X_OK) == 0)
      return path.lexically_normal();
  return command;
}

}  // namespace

int run_command(char const* name, char const* help, int argc, char** argv,
                int (*body)(Arguments const& arguments)) {
  const Arguments arguments(argv + 1, argv + argc);
  if (!arguments.empty() && (arguments[0] == "-h" || arguments[0] == "--help")) {
    std::fputs(help, stdout);
    return 0;
  }
  try {
    return body(arguments);
  } catch (Error const& error) {
    std::fprintf(stderr, "%s: %s\n", name, error.what());
    return usage_error;
  }
}

std::string file_in_home(std::string const& name) {
  char const* home = std::getenv("HOME");
  if (!home || !*home)
    throw Error("HOME is not set, and {} belongs there: set it, or give -f", name);
  return std::string(home) + "/.bip/" + name;
}

void write_configuration(std::string const& file, Configuration const& configuration) {
  std::error_code wrong;
  auto const folder = std::filesystem::path(file).parent_path();
  if (!folder.empty()) std::filesystem::create_directories(folder, wrong);
  std::ofstream stream(file);
  stream << text_of(configuration);
  stream.close();
  if (!stream) throw Error("{} cannot be written: {}", file, system_message(errno));
}

void become(std::string const& command, Arguments arguments) {
  arguments.insert(arguments.begin(), path_of(command));
  std::vector<char*> pointers;
  for (auto& word : arguments) pointers.push_back(word.data());
  pointers.push_back(nullptr);
  ::execvp(pointers[0], pointers.data());
  throw Error("{} cannot be run: {}; is Earl's bin directory on PATH?", command,
              system_message(errno));
}

std::string const& value_of(Arguments const& arguments, std::size_t& at) {
  if (at + 1 >= arguments.size()) throw Error("{}: a word is missing after it", arguments[at]);
  return arguments[++at];
}

}  // namespace earl::bip
