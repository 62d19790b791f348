// SPDX-License-Identifier: BSD-3-Clause
/// The back end's row: jobs as backends/hosted has them, on an NX library. That is Earl's own, and
/// its launcher is the earl command again.
#include <filesystem>

#include "backends/hosted/job.hpp"
#include "backends/nx/native.hpp"
#include "generic/base/error.hpp"

namespace earl {

namespace nx_backend {
namespace {

/// Where the launcher has written the number of the descriptor that it hands down.
constexpr char const* handed = "EARL_CONTROL";

/// EXEC runs in the command that is the launcher, too.
std::string find_launcher() {
  std::error_code error;
  auto const path = std::filesystem::read_symlink("/proc/self/exe", error);
  if (error) throw Error("the earl command cannot be found: {}", error.message());
  return path;
}

std::unique_ptr<PreparedJob> prepare(JobFacts const& facts) {
  static_cast<void>(find_library());  // rather one sentence here than one of each process
  return hosted_backend::prepare(
      {.back_end = "NX",
       .title = "libnx.so",
       .launcher = "earl run",
       .path = find_launcher(),
       .options = {"run", "--on", "shm", "--deadlock", "off", "--stdin", "none"},
       .wrapper = {"sh", "-c", "exec \"$0\" \"$@\""},
       .rank = "EARL_RANK",
       .handed = handed,
       .hidden = "EARL_",
       .settings = {"EARL_CONFIG=/dev/null"}},
      facts);
}

std::unique_ptr<Port> join(std::span<int const> descriptors, Rank rank) {
  return hosted_backend::join({.handed = handed, .load = load_native}, descriptors, rank);
}

}  // namespace
}  // namespace nx_backend

extern Backend const nx_back_end;
Backend const nx_back_end{
    .name = "nx",
    .summary = "processes of one host, through an NX library: Earl's own",
    .prepare = nx_backend::prepare,
    .join = nx_backend::join,
    .spawns = false,
    .outlives_a_death = false,
};

}  // namespace earl
