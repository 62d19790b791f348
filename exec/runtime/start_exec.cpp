// SPDX-License-Identifier: BSD-3-Clause
/// Starting an EXEC from a program that was started without one.
#include <dlfcn.h>
#include <fcntl.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

#include "exec/runtime/boot.hpp"
#include "exec/runtime/job_mark.hpp"
#include "exec/runtime/session_server.hpp"
#include "generic/base/error.hpp"
#include "generic/base/words.hpp"
#include "generic/system/child.hpp"
#include "generic/system/read_file.hpp"

namespace earl::boot {

namespace {

/// An installed libearl.so lies beside a folder called `earl`, which is no command.
bool is_command(std::filesystem::path const& path) {
  std::error_code unseen;
  return std::filesystem::is_regular_file(path, unseen) && ::access(path.c_str(), X_OK) == 0;
}

/// The command, in a build tree beside libearl.so, installed in a bin above its folder.
std::string find_command() {
  Dl_info facts{};
  if (::dladdr(reinterpret_cast<void const*>(&find_command), &facts) == 0 || !facts.dli_fname)
    throw Error("this program cannot tell where its libearl.so is");
  auto const folder = std::filesystem::path(real_path(facts.dli_fname)).parent_path();
  auto const above = folder.parent_path();
  for (auto const& place : {folder, above / "bin", above.parent_path() / "bin"})
    if (auto const path = place / "earl"; is_command(path)) return path.string();
  throw Error(
      "the `earl` command is neither in {} nor in a bin above it; start this program with "
      "`earl run`",
      folder.string());
}

/// The second child starts the command, so that it is no child of the program's and the program's
/// own wait(2) never meets it.
[[noreturn]] void become(char* const* command, char* const* environment,
                         std::span<int const> kept) {
  if (::fork() != 0) ::_exit(0);
  for (int const fd : kept) ::fcntl(fd, F_SETFD, 0);
  ::execve(command[0], command, environment);
  ::_exit(127);
}

/// `kept`: the descriptors that it inherits.
void start_detached(std::array<std::string, 6> command, char* const* environment,
                    std::span<int const> kept) {
  std::array<char*, 7> list{};
  for (std::size_t i = 0; i < command.size(); ++i)
    list[i] = command[i].empty() ? nullptr : command[i].data();
  pid_t const child = ::fork();
  if (child < 0) throw Error(Fault::full, "no process for EXEC: {}", system_message(errno));
  if (child == 0) become(list.data(), environment, kept);
  await_child(child);
}

std::vector<char*> environment_without(std::string_view name) {
  std::vector<char*> kept;
  for (char** entry = environ; entry && *entry; ++entry) {
    const std::string_view assignment{*entry};
    if (assignment.substr(0, assignment.find('=')) != name) kept.push_back(*entry);
  }
  kept.push_back(nullptr);
  return kept;
}

struct Channel {
  Descriptor ours;
  Descriptor theirs;
};

Channel new_channel() {
  std::array<int, 2> ends{};
  if (::socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends.data()) != 0)
    throw Error("no channel to EXEC: {}", system_message(errno));
  return {.ours = Descriptor(ends[0]), .theirs = Descriptor(ends[1])};
}

}  // namespace

void restart(std::vector<char*> const& arguments, std::uint32_t processes) {
  auto const file = real_path("/proc/self/exe");
  if (processes == 0) {
    ::execv(file.c_str(), arguments.data());
    throw Error("{} cannot be started again: {}", file, system_message(errno));
  }
  bool const by_path = std::string_view{arguments.front()}.find('/') != std::string_view::npos;
  auto const earl = find_command();
  std::vector<std::string> words{earl, "run", "-n", fmt::format("{}", processes),
                                 by_path ? arguments.front() : file};
  for (auto const* word : std::span{arguments}.subspan(1))
    if (word) words.emplace_back(word);
  ::execv(earl.c_str(), pointers_to(words).data());
  throw Error("{} cannot be started: {}", earl, system_message(errno));
}

Descriptor start_exec() {
  auto channel = new_channel();
  std::array const kept{channel.theirs.get()};
  start_detached(
      {find_command(), "serve", fmt::format("{}", kept[0]), fmt::format("{}", ::getpid()), {}, {}},
      environ, kept);
  return std::move(channel.ours);
}

/// A session server belongs to no job: it outlives the job whose process has started it.
void start_session_server(Descriptor listener, Descriptor shell, std::string_view name,
                          std::uint32_t places) {
  auto const environment = environment_without(exec::mark_variable);
  std::array const kept{listener.get(), shell.get()};
  start_detached({find_command(), "keep", fmt::format("{}", listener.get()),
                  fmt::format("{}", shell.get()), std::string{name}, fmt::format("{}", places)},
                 environment.data(), kept);
}

Descriptor start_session(Descriptor listener, FirstMember first) {
  auto const environment = environment_without(exec::mark_variable);
  auto const listening = fmt::format("{}", listener.get());
  if (first == FirstMember::none) {
    std::array const kept{listener.get()};
    start_detached({find_command(), "session", listening, {}, {}, {}}, environment.data(), kept);
    return {};
  }
  auto channel = new_channel();
  std::array const kept{listener.get(), channel.theirs.get()};
  start_detached({find_command(),
                  "session",
                  listening,
                  fmt::format("{}", kept[1]),
                  fmt::format("{}", ::getpid()),
                  {}},
                 environment.data(), kept);
  return std::move(channel.ours);
}

}  // namespace earl::boot
