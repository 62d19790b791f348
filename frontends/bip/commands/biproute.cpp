// SPDX-License-Identifier: BSD-3-Clause
/// biproute: finds the routes between hosts. Without a description of the network there is nothing
/// to find.
#include <cstdio>
#include <cstdlib>

#include "frontends/bip/commands/common.hpp"

namespace {

/// One that runs, or that a file describes; empty: none.
std::string network_of_variables() {
  char const* const running = std::getenv("EARL_MYRINET_NETWORK");
  if (running && *running) return std::string{"running:"} + running;
  char const* const file = std::getenv("EARL_MYRINET_TOPOLOGY");
  return file ? file : "";
}

int explore(earl::bip::Arguments const& hosts) {
  if (hosts.empty()) throw earl::Error("no host: biproute host host ...");
  for (auto const& host : hosts)
    if (host.starts_with("-")) throw earl::Error("{}: it has no options, only hosts", host);
  auto const file = earl::bip::file_in_home("bipdatabase");
  if (auto const network = network_of_variables(); !network.empty()) {
    earl::bip::Arguments arguments{"-o", file, network};
    arguments.insert(arguments.end(), hosts.begin(), hosts.end());
    earl::bip::become("earl-myriroute", arguments);
  }
  earl::bip::write_configuration(file, earl::bip::on_one_switch(hosts));
  std::fprintf(stderr,
               "biproute: there is no Myrinet here to explore: %s takes the %zu hosts to be on one "
               "switch\n",
               file.c_str(), hosts.size());
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  return earl::bip::run_command("biproute",
                                "biproute HOST...: the routes between hosts of the network that "
                                "EARL_MYRINET_NETWORK (one that runs: earl-myrinet) or "
                                "EARL_MYRINET_TOPOLOGY (a file) names, into "
                                "$HOME/.bip/bipdatabase\n",
                                argc, argv, explore);
}
