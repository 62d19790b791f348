// SPDX-License-Identifier: BSD-3-Clause
/// bipload: starts a program on every node of a configuration; here all of them are this host.
#include <sys/utsname.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>

#include "frontends/bip/commands/common.hpp"
#include "frontends/bip/options.hpp"
#include "generic/base/number.hpp"

namespace {

using earl::Error;
using earl::bip::Arguments;

struct Request {
  int size = 0;  ///< of the first so many nodes; 0: all
  std::string file{};
  bool quiet = false;
  Arguments program{};
};

int number(std::string const& option, std::string const& word) {
  auto const value = earl::number_from<int>(word);
  if (!value || *value < 0) throw Error("{} {}: that is no number", option, word);
  return *value;
}

Request parse(Arguments const& arguments) {
  Request what;
  std::size_t i = 0;
  for (; i < arguments.size() && arguments[i].starts_with("-"); ++i) {
    auto const option = arguments[i];
    if (option == "-sz") {
      what.size = number(option, earl::bip::value_of(arguments, i));
      if (what.size < 1) throw Error("-sz {}: one node at least", what.size);
    } else if (option == "-f") {
      what.file = earl::bip::value_of(arguments, i);
    } else if (option == "-q") {
      what.quiet = true;
    } else if (option == "-d") {
      int const node = number(option, earl::bip::value_of(arguments, i));
      std::fprintf(stderr,
                   "bipload: -d %d: no debugger is started; earl record keeps the run for one\n",
                   node);
    } else if (option != "-mget" && option != "-hwflow") {
      throw Error("{}: there is -sz N, -f FILE, -q, -d NODE, -mget, -hwflow", option);
    }
  }
  what.program.assign(arguments.begin() + static_cast<std::ptrdiff_t>(i), arguments.end());
  if (what.program.empty())
    throw Error(
        "no program: bipload [-sz n] [-f file] [-q] [-d node] [-mget] [-hwflow] program arguments");
  return what;
}

/// A program beside the user goes before one on PATH.
void find_here(std::string& program) {
  if (program.find('/') == std::string::npos && ::access(program.c_str(), X_OK) == 0)
    program = "./" + program;
}

void report_hosts(earl::bip::Configuration const& configuration, std::size_t count) {
  utsname name{};
  ::uname(&name);
  for (std::size_t i = 0; i < count; ++i) {
    auto const& host = configuration.nodes[i].host;
    if (host == name.nodename || host == "localhost") continue;
    std::fprintf(stderr, "bipload: %s and the other nodes run on this host, %s\n", host.c_str(),
                 name.nodename);
    return;
  }
}

int load(Arguments const& arguments) {
  auto what = parse(arguments);
  char const* named = std::getenv("BIPCONF");
  if (what.file.empty()) what.file = named && *named ? named : earl::bip::file_in_home("bipconf");
  auto const configuration = earl::bip::read_configuration(what.file);
  auto const all = static_cast<int>(configuration.nodes.size());
  if (what.size > all) throw Error("-sz {}: {} names {} nodes", what.size, what.file, all);
  int const size = what.size == 0 ? all : what.size;
  if (!what.quiet) report_hosts(configuration, static_cast<std::size_t>(size));
  ::setenv("BIPCONF", what.file.c_str(), 1);
  ::setenv("BIP_OPTS", fmt::format("n{}{}", size, what.quiet ? "q" : "").c_str(), 1);
  find_here(what.program.front());
  Arguments run{"run", "-n", std::to_string(size)};
  run.insert(run.end(), what.program.begin(), what.program.end());
  earl::bip::become("earl", run);
}

}  // namespace

int main(int argc, char** argv) {
  return earl::bip::run_command(
      "bipload",
      "bipload [-sz N] [-f FILE] [-q] PROGRAM ARGUMENTS: starts PROGRAM on "
      "every node\n",
      argc, argv, load);
}
