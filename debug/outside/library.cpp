// SPDX-License-Identifier: BSD-3-Clause
#include "debug/outside/library.hpp"

#include <dlfcn.h>
#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>

#include "debug/outside/include/earl/tool.h"
#include "generic/base/error.hpp"
#include "generic/system/descriptor.hpp"

namespace earl::outside {

namespace {

constexpr unsigned most_seconds = 10;

/// The loader's messages name the file in their own way.
std::string loader_error(std::string const& path) {
  char const* const error = ::dlerror();
  std::string text = error ? error : "no reason is known";
  if (text.starts_with(path + ": ")) text.erase(0, path.size() + 2);
  return text;
}

void check(std::string const& path, earl_tool_table const& table) {
  if (table.version != EARL_TOOL_VERSION)
    throw Error(
        "{} was compiled for version {} of earl/tool.h and this Earl has version {}: compile it "
        "with this Earl's header",
        path, table.version, EARL_TOOL_VERSION);
  if (table.size != sizeof table)
    throw Error("{}: its earl_tool gives {} as its size, not sizeof(struct earl_tool_table), {}",
                path, table.size, sizeof table);
  if ((table.flags & ~EARL_TOOL_STEERS) != 0)
    throw Error("{}: its earl_tool has flags {:#x}, which this Earl does not know", path,
                table.flags);
  if (!table.create || !table.event)
    throw Error("{}: its earl_tool has no function `{}`", path, table.create ? "event" : "create");
}

/// Never returns. Says nothing when the library can be loaded.
[[noreturn]] void try_to_load(std::string const& path, int answer) {
  Descriptor const nothing(::open("/dev/null", O_RDWR | O_CLOEXEC));
  for (int const stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
    ::dup2(nothing.get(), stream);
  ::alarm(most_seconds);
  try {
    load(path);
  } catch (std::exception const& error) {
    auto const length = std::strlen(error.what());
    ::_exit(::write(answer, error.what(), length) == static_cast<ssize_t>(length) ? 0 : 1);
  }
  ::_exit(0);
}

std::string read_all(Descriptor const& from) {
  std::string text;
  std::array<char, 512> piece{};
  for (;;) {
    auto const n = ::read(from.get(), piece.data(), piece.size());
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return text;
    text.append(piece.data(), static_cast<std::size_t>(n));
  }
}

std::string end_text(std::string const& path, int status) {
  if (WIFSIGNALED(status) && WTERMSIG(status) == SIGALRM)
    return fmt::format("{}: loading it takes longer than {} seconds", path, most_seconds);
  if (WIFSIGNALED(status))
    return fmt::format("{}: loading it fails: {}", path, ::strsignal(WTERMSIG(status)));
  if (WEXITSTATUS(status) != 0)
    return fmt::format("{}: loading it ends the process with exit code {}", path,
                       WEXITSTATUS(status));
  return {};
}

}  // namespace

earl_tool_table const& load(std::string const& path) {
  void* const library = ::dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!library) throw Error("{} cannot be loaded: {}", path, loader_error(path));
  auto const* const table =
      static_cast<earl_tool_table const*>(::dlsym(library, std::string(table_symbol).c_str()));
  if (!table) throw Error("{} is no tool: it does not define {}", path, table_symbol);
  check(path, *table);
  return *table;
}

std::string objection_to_tool(std::string const& path) {
  std::array<int, 2> ends{};
  if (::pipe2(ends.data(), O_CLOEXEC) != 0) throw Error("a pipe: {}", system_message(errno));
  Descriptor const reading(ends[0]);
  Descriptor writing(ends[1]);
  auto const child = ::fork();
  if (child < 0) throw Error("cannot try {}: {}", path, system_message(errno));
  if (child == 0) try_to_load(path, writing.get());
  writing = {};
  auto const said = read_all(reading);
  int status = 0;
  while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  return said.empty() ? end_text(path, status) : said;
}

}  // namespace earl::outside
