// SPDX-License-Identifier: BSD-3-Clause
/// `earl races` and its like, and how commands come to the events of a recording.
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdio>
#include <filesystem>

#include "debug/registry.hpp"
#include "exec/launcher/commands/commands.hpp"
#include "exec/launcher/commands/events_of.hpp"
#include "exec/launcher/commands/options.hpp"
#include "generic/base/error.hpp"
#include "generic/system/descriptor.hpp"

namespace earl::exec {

namespace {

constexpr int diverged = 87;
constexpr int differ = 3;

/// In a forked child.
[[noreturn]] void become_replay(std::string const& earl, std::string const& folder,
                                int complaints) {
  Descriptor const nothing(::open("/dev/null", O_RDWR | O_CLOEXEC));
  ::dup2(nothing.get(), STDIN_FILENO);
  ::dup2(nothing.get(), STDOUT_FILENO);
  ::dup2(complaints, STDERR_FILENO);
  auto const tool = "events=" + folder;
  const std::array<char const*, 6> words{earl.c_str(), "replay",       "--tool",
                                         tool.c_str(), folder.c_str(), nullptr};
  ::execv(earl.c_str(), const_cast<char* const*>(words.data()));
  ::_exit(127);
}

/// Earl's own messages, without the programs' output.
std::string complaints_in(Descriptor const& file) {
  std::string all(static_cast<std::size_t>(std::max<off_t>(::lseek(file.get(), 0, SEEK_END), 0)),
                  '\0');
  auto const n = ::pread(file.get(), all.data(), all.size(), 0);
  all.resize(n > 0 ? static_cast<std::size_t>(n) : 0);
  std::string own;
  for (std::size_t at = 0; at < all.size();) {
    auto const end = std::min(all.find('\n', at), all.size());
    auto const line = all.substr(at, end - at);
    if (line.starts_with("earl: ")) own += (own.empty() ? "" : "; ") + line.substr(6);
    at = end + 1;
  }
  return own;
}

void make_events(std::string const& folder) {
  static_cast<void>(trace::read_command(folder));
  auto const earl = std::filesystem::read_symlink("/proc/self/exe").string();
  Descriptor const complaints(::memfd_create("earl-replay", MFD_CLOEXEC));
  std::fflush(nullptr);
  auto const child = ::fork();
  if (child < 0) throw Error("cannot start a replay: {}", system_message(errno));
  if (child == 0) become_replay(earl, folder, complaints.get());
  int status = 0;
  while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  auto const said = complaints_in(complaints);
  if (!events::has_events(folder))
    throw Error("{} cannot be replayed: {}; `earl replay {}` shows more", folder,
                said.empty() ? "the replay was killed" : said, folder);
  if (WIFEXITED(status) && WEXITSTATUS(status) == diverged)
    fmt::print(stderr, "earl: {}; what follows goes so far\n", said);
}

}  // namespace

std::string events_of(std::string const& recording) {
  auto folder = std::filesystem::absolute(recording).lexically_normal().string();
  if (!events::has_events(folder)) make_events(folder);
  return folder;
}

int profile_command(std::vector<std::string> const& words) {
  auto plan = parse_profile(words);
  auto const folder = events_of(plan.recording);
  plan.options.timed = events::has_times(folder);
  analyse::print_profile(folder, plan.options);
  return 0;
}

int flip_command(std::vector<std::string> const& words) {
  auto const plan = parse_flip(words);
  auto const folder = events_of(plan.recording);
  auto const path = analyse::path_to_flip(folder, plan.race);
  fmt::print(stderr, "earl: this is `earl replay --path {} {}`\n", path, plan.recording);
  return replay_command({"--path", path, plan.recording});
}

int diff_command(std::vector<std::string> const& words) {
  auto const plan = parse_diff(words);
  for (auto const& recording : {plan.a, plan.b}) events_of(recording);
  return analyse::print_diff(plan.a, plan.b, plan.options) ? 0 : differ;
}

int view_command(std::vector<std::string> const& words) {
  auto const plan = parse_view(words);
  auto const folder = events_of(plan.recording);
  auto const file = plan.file.empty() ? folder + "/view.html" : plan.file;
  analyse::write_view(folder, file);
  if (file != "-") fmt::print("{}\n", file);
  return 0;
}

int races_command(std::vector<std::string> const& words) {
  auto const plan = parse_races(words);
  auto const folder = events_of(plan.recording);
  analyse::print_races(folder, plan.options);
  return 0;
}

}  // namespace earl::exec
