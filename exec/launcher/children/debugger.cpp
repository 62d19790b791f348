// SPDX-License-Identifier: BSD-3-Clause
#include "exec/launcher/children/debugger.hpp"

#include "generic/base/error.hpp"
#include "generic/system/installed_files.hpp"

namespace earl::exec {

std::vector<std::string> under_gdb(std::vector<std::string> command, std::string_view back_end) {
  auto const gdb = find_command("gdb");
  if (gdb.empty()) throw Error("--gdb: there is no gdb here; apt-get install gdb");
  auto const script = find_part(fmt::format("backends/{}", back_end), "gdb.py");
  if (script.empty())
    throw Error("--gdb: gdb.py for {} is missing: this installation of Earl is incomplete",
                back_end);
  std::vector<std::string> debugged{gdb, "-q", "-x", script, "--args"};
  debugged.insert(debugged.end(), command.begin(), command.end());
  return debugged;
}

}  // namespace earl::exec
