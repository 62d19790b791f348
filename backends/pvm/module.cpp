// SPDX-License-Identifier: BSD-3-Clause
#include "backends/pvm/module.hpp"

#include "generic/base/error.hpp"
#include "generic/system/installed_files.hpp"

namespace earl::pvm_backend {

std::string find_module() {
  if (auto path = find_part("backends/pvm", "earl-pvm.so"); !path.empty()) return path;
  throw Error(
      "this Earl has no part for PVM: install its package earl-pvm or, for an Earl that is built "
      "from source, pvm-dev (apt-get install pvm-dev), and build again");
}

earl_pvm_native const& load_module(std::string const& path) {
  return load_table<earl_pvm_native>(path, "earl_pvm", earl_pvm_version, 0);
}

}  // namespace earl::pvm_backend
