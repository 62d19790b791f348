// SPDX-License-Identifier: BSD-3-Clause
/// bipcc: the C compiler, with BIP's headers and libraries.
#include "frontends/bip/commands/common.hpp"

namespace {

int compile(earl::bip::Arguments const& arguments) {
  earl::bip::Arguments all{"-api", "bip"};
  all.insert(all.end(), arguments.begin(), arguments.end());
  earl::bip::become("earlcc", all);
}

}  // namespace

int main(int argc, char** argv) {
  return earl::bip::run_command("bipcc",
                                "bipcc ARGUMENTS: the C compiler (CC, else cc) for BIP programs\n",
                                argc, argv, compile);
}
