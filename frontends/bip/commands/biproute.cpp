/// biproute: finds the routes between hosts. Without a Myrinet there is nothing to find.
#include <cstdio>

#include "frontends/bip/commands/common.hpp"

namespace {

int explore(earl::bip::Words const& hosts) {
  if (hosts.empty()) throw earl::Error("no host: biproute host host ...");
  for (auto const& host : hosts)
    if (host.starts_with("-")) throw earl::Error("{}: it has no options, only hosts", host);
  auto const file = earl::bip::file_in_home("bipdatabase");
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
                                "biproute HOST...: the routes between hosts, into "
                                "$HOME/.bip/bipdatabase\n",
                                argc, argv, explore);
}
