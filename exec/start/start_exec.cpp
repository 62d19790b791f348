/// Starting an EXEC from a program that nobody started with one.
#include <dlfcn.h>
#include <fcntl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <filesystem>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

#include "exec/children/mark.hpp"
#include "exec/control/keeper.hpp"
#include "generic/error.hpp"

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
  auto const folder = std::filesystem::canonical(facts.dli_fname).parent_path();
  auto const above = folder.parent_path();
  for (auto const& place : {folder, above / "bin", above.parent_path() / "bin"})
    if (auto const path = place / "earl"; is_command(path)) return path.string();
  throw Error(
      "the `earl` command is neither in {} nor in a bin above it; start this program with "
      "`earl run`",
      folder.string());
}

/// The second child starts the command, so that it is nobody's child and the program's own wait(2)
/// never meets it.
[[noreturn]] void become(char* const* words, char* const* environment, int keep) {
  if (::fork() != 0) ::_exit(0);
  if (keep >= 0) ::fcntl(keep, F_SETFD, 0);
  ::execve(words[0], words, environment);
  ::_exit(127);
}

void start_detached(std::array<std::string, 5> words, char* const* environment, int keep) {
  std::array<char*, 6> list{};
  for (std::size_t i = 0; i < words.size(); ++i)
    list[i] = words[i].empty() ? nullptr : words[i].data();
  pid_t const child = ::fork();
  if (child < 0) throw Error(Fault::full, "no process for EXEC: {}", system_message(errno));
  if (child == 0) become(list.data(), environment, keep);
  while (::waitpid(child, nullptr, 0) < 0 && errno == EINTR) {
  }
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

}  // namespace

Descriptor start_exec() {
  std::array<int, 2> ends{};
  if (::socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends.data()) != 0)
    throw Error("no channel to EXEC: {}", system_message(errno));
  Descriptor ours(ends[0]);
  Descriptor const theirs(ends[1]);
  start_detached(
      {find_command(), "serve", fmt::format("{}", theirs.get()), fmt::format("{}", ::getpid()), {}},
      environ, theirs.get());
  return ours;
}

/// A keeper belongs to no job: it outlives one whose process has started it.
void start_keeper(Descriptor listener, std::string_view name, std::uint32_t places) {
  auto const environment = environment_without(exec::mark_variable);
  start_detached({find_command(), "keep", fmt::format("{}", listener.get()), std::string{name},
                  fmt::format("{}", places)},
                 environment.data(), listener.get());
}

}  // namespace earl::boot
