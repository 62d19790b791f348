// SPDX-License-Identifier: BSD-3-Clause
#include "exec/launcher/output/rank_files.hpp"

#include <fcntl.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>

#include "exec/launcher/plan.hpp"

namespace earl::exec {

void make_output_folder(std::string const& folder) {
  std::error_code failed;
  std::filesystem::create_directories(folder, failed);
  if (failed) throw UsageError("output-dir {} cannot be made: {}", folder, failed.message());
  if (::access(folder.c_str(), W_OK | X_OK) != 0)
    throw UsageError("output-dir {} cannot be written into: {}", folder, system_message(errno));
}

Descriptor open_rank_file(std::string const& folder, Rank rank, std::string_view stream) {
  auto const name = fmt::format("{}/rank{}.{}", folder, number(rank), stream);
  constexpr mode_t readable = 0666;
  Descriptor file(
      ::open(name.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_APPEND | O_CLOEXEC, readable));
  if (!file) throw Error("{} cannot be written: {}", name, system_message(errno));
  return file;
}

bool is_full(std::string const& folder) {
  struct statvfs facts {};
  return ::statvfs(folder.c_str(), &facts) == 0 && facts.f_blocks != 0 && facts.f_bavail == 0;
}

}  // namespace earl::exec
