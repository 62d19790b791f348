// SPDX-License-Identifier: BSD-3-Clause
/// bipconf: writes the configuration of an application: its hosts, in the order of their numbers.
#include <unistd.h>

#include <algorithm>
#include <cstdlib>

#include "frontends/bip/commands/common.hpp"

namespace {

using earl::Error;
using earl::bip::Arguments;
using earl::bip::Configuration;

/// The routes of biproute's database, for these hosts.
Configuration chosen(Configuration const& database, Arguments const& hosts,
                     std::string const& name) {
  std::vector<std::size_t> places;
  for (auto const& host : hosts) {
    auto const found = std::find_if(database.nodes.begin(), database.nodes.end(),
                                    [&](auto const& node) { return node.host == host; });
    if (found == database.nodes.end())
      throw Error("{} is not in {}: run biproute with all hosts first", host, name);
    places.push_back(static_cast<std::size_t>(found - database.nodes.begin()));
  }
  Configuration all;
  for (auto const from : places) {
    auto node = database.nodes[from];
    node.routes.clear();
    for (auto const to : places) node.routes.push_back(database.nodes[from].routes[to]);
    all.nodes.push_back(std::move(node));
  }
  return all;
}

int configure(Arguments const& arguments) {
  std::string file;
  Arguments hosts;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    if (arguments[i] == "-f")
      file = earl::bip::value_of(arguments, i);
    else if (arguments[i].starts_with("-"))
      throw Error("{}: the only option is -f FILE", arguments[i]);
    else
      hosts.push_back(arguments[i]);
  }
  if (hosts.empty()) throw Error("no host: bipconf [-f file] host host ...");
  if (file.empty()) file = earl::bip::file_in_home("bipconf");
  char const* home = std::getenv("HOME");
  auto const database = std::string(home ? home : "") + "/.bip/bipdatabase";
  bool const explored = ::access(database.c_str(), F_OK) == 0;
  earl::bip::write_configuration(
      file, explored ? chosen(earl::bip::read_configuration(database), hosts, database)
                     : earl::bip::on_one_switch(hosts));
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  return earl::bip::run_command("bipconf",
                                "bipconf [-f FILE] HOST...: the configuration for these hosts, "
                                "into FILE or $HOME/.bip/bipconf\n",
                                argc, argv, configure);
}
