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

#include "debug/outside/include/earl/job_tool.h"
#include "debug/outside/include/earl/tool.h"
#include "generic/base/error.hpp"
#include "generic/system/descriptor.hpp"

namespace earl::outside {

namespace {

/// The loader's messages name the file in their own way.
std::string loader_error(std::string const& path) {
  char const* const error = ::dlerror();
  std::string text = error ? error : "no reason is known";
  if (text.starts_with(path + ": ")) text.erase(0, path.size() + 2);
  return text;
}

/// The names of a half in sentences.
struct TableNames {
  std::string_view object;
  std::string_view type;
  std::string_view header;
  std::uint32_t version;
};

constexpr TableNames rank_names{table_symbol, "earl_tool_table", "earl/tool.h", EARL_TOOL_VERSION};
constexpr TableNames job_names{job_table_symbol, "earl_job_table", "earl/job_tool.h",
                               EARL_JOB_TOOL_VERSION};

template <class Table>
void check(std::string const& path, Table const& table, TableNames const& names) {
  if (table.version != names.version)
    throw Error(
        "{} was compiled for version {} of {} and this Earl has version {}: compile it with this "
        "Earl's header",
        path, table.version, names.header, names.version);
  if (table.size != sizeof table)
    throw Error("{}: its {} gives {} as its size, not sizeof(struct {}), {}", path, names.object,
                table.size, names.type, sizeof table);
  if ((table.flags & ~EARL_TOOL_STEERS) != 0)
    throw Error("{}: its {} has flags {:#x}, which this Earl does not know", path, names.object,
                table.flags);
  if (!table.create || !table.event)
    throw Error("{}: its {} has no function `{}`", path, names.object,
                table.create ? "event" : "create");
}

/// Null: the library does not define it.
template <class Table>
Table const* table_of(void* library, std::string const& path, TableNames const& names) {
  auto const* const table =
      static_cast<Table const*>(::dlsym(library, std::string(names.object).c_str()));
  if (table) check(path, *table, names);
  return table;
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

Library load(std::string const& path) {
  void* const library = ::dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!library) throw Error("{} cannot be loaded: {}", path, loader_error(path));
  const Library halves{.in_rank = table_of<earl_tool_table>(library, path, rank_names),
                       .in_exec = table_of<earl_job_table>(library, path, job_names)};
  if (!halves.in_rank && !halves.in_exec)
    throw Error("{} is no tool: it defines neither {} nor {}", path, table_symbol,
                job_table_symbol);
  return halves;
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
