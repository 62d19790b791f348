// SPDX-License-Identifier: BSD-3-Clause
#include "exec/launcher/programs/programs.hpp"

#include <dlfcn.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <optional>
#include <set>

#include "exec/launcher/front_ends.hpp"
#include "exec/launcher/programs/elf.hpp"
#include "exec/launcher/programs/sources.hpp"
#include "generic/base/number.hpp"

namespace earl::exec {

namespace fs = std::filesystem;

namespace {

/// Programs that start another one and pass the control channel on.
constexpr std::array<std::string_view, 29> wrappers{
    "sh",     "bash",    "dash",    "zsh",   "ksh",     "busybox", "env",    "valgrind",
    "gdb",    "lldb",    "rr",      "perf",  "strace",  "ltrace",  "nice",   "nohup",
    "time",   "timeout", "taskset", "xterm", "numactl", "setarch", "stdbuf", "setsid",
    "script", "python3", "perl",    "chrt",  "prlimit"};

std::vector<std::string> split(std::string_view list) {
  std::vector<std::string> parts;
  while (!list.empty()) {
    auto const end = std::min(list.find(':'), list.size());
    if (end != 0) parts.emplace_back(list.substr(0, end));
    list.remove_prefix(std::min(end + 1, list.size()));
  }
  return parts;
}

std::vector<std::string> path_list(char const* variable) {
  char const* value = std::getenv(variable);
  return split(value ? value : "");
}

std::string absolute(std::string const& path, std::string const& folder) {
  if (folder.empty() || path.starts_with('/')) return path;
  return folder + "/" + path;
}

bool is_folder(std::string const& path) {
  std::error_code ignored;
  return fs::is_directory(path, ignored);
}

bool can_run(std::string const& path) {
  // Nor is a socket or a device, which may be an argument.
  struct stat status {};
  return ::access(path.c_str(), X_OK) == 0 && ::stat(path.c_str(), &status) == 0 &&
         S_ISREG(status.st_mode);
}

[[noreturn]] void refuse_running(std::string const& sentence) {
  throw Refusal(exit_not_executable, SpawnFault::denied, sentence);
}

/// Where a program is expected and the user has named something else.
void check_kind(std::string const& path) {
  if (is_folder(path))
    refuse_running(fmt::format("{} is a directory, not a program: name one in it, as in {}", path,
                               (fs::path(path) / "prog").string()));
  if (!is_source(path) || can_run(path)) return;
  auto const program = fs::path(path).replace_extension();
  refuse_running(
      fmt::format("{} is a source file: compile it with `{} {} -o {}` and run {}", path,
                  is_fortran(path) ? "earlfc" : "earlcc", path, program.string(),
                  program.has_parent_path() ? program.string() : "./" + program.string()));
}

[[noreturn]] void refuse_missing(ProgramQuery const& query) {
  std::error_code ignored;
  if (query.folders.empty() && fs::exists(query.name, ignored)) check_kind(query.name);
  std::string where = "PATH";
  for (auto const& folder : query.folders) where.insert(0, fmt::format("{}, ", folder));
  auto hint = query.folders.empty() && can_run("./" + query.name)
                  ? "; there is one in this directory: say ./" + query.name
                  : std::string{};
  if (query.folders.empty() && number_from<std::uint32_t>(query.name))
    hint = fmt::format("; so many processes are -n {}", query.name);
  throw Refusal(exit_not_found, SpawnFault::not_found,
                fmt::format("there is no program {} in {}{}", query.name, where, hint));
}

void check_can_run(std::string const& path) {
  struct stat status {};
  if (::stat(path.c_str(), &status) != 0) {
    auto const number = errno;
    if (number == ENOENT || number == ENOTDIR)
      throw Refusal(exit_not_found, SpawnFault::not_found,
                    fmt::format("there is no program {}", path));
    refuse_running(fmt::format("{} cannot be run: {}", path, system_message(number)));
  }
  check_kind(path);
  if (::access(path.c_str(), X_OK) != 0)
    refuse_running(fmt::format("{} is not executable (chmod +x {})", path, path));
}

std::string expand_origin(std::string text, std::string const& file) {
  auto const folder = fs::absolute(file).parent_path().string();
  for (std::string const token : {"$ORIGIN", "${ORIGIN}"})
    for (auto at = text.find(token); at != std::string::npos; at = text.find(token))
      text.replace(at, token.size(), folder);
  return text;
}

/// Where the system's loader looks last: where it has found the C library.
std::vector<std::string> system_folders() {
  Dl_info where{};
  if (::dladdr(::dlsym(RTLD_DEFAULT, "getpid"), &where) == 0) return {};
  auto const folder = fs::path(where.dli_fname).parent_path().string();
  return {folder, "/usr" + folder, "/usr/local/lib"};
}

/// Looks for a front end among the libraries a file needs, and among theirs.
class FrontEndSearch {
 public:
  explicit FrontEndSearch(std::vector<std::string> const& folders) : folders_(folders) {
    auto const more = path_list("LD_LIBRARY_PATH");
    folders_.insert(folders_.end(), more.begin(), more.end());
    auto const last = system_folders();
    folders_.insert(folders_.end(), last.begin(), last.end());
  }

  FrontEnd const* in(FileFacts const& facts, std::string const& file) {
    for (auto const& library : facts.needed)
      if (auto const* row = front_end_of_library(library)) return row;
    for (auto const& library : facts.needed)
      if (auto const* row = behind(library, split(expand_origin(facts.search, file)))) return row;
    return nullptr;
  }

 private:
  FrontEnd const* behind(std::string const& library, std::vector<std::string> folders) {
    if (!seen_.insert(library).second) return nullptr;
    folders.insert(folders.end(), folders_.begin(), folders_.end());
    for (auto const& folder : folders) {
      auto const path = fmt::format("{}/{}", folder, library);
      if (::access(path.c_str(), R_OK) != 0 || is_folder(path)) continue;
      return in(facts_of_file(path), path);
    }
    return nullptr;
  }

  std::vector<std::string> folders_;
  std::set<std::string> seen_;
};

std::string joined(std::vector<std::string> const& names) {
  std::string text;
  for (auto const& name : names) text += (text.empty() ? "" : ", ") + name;
  return text;
}

[[noreturn]] void refuse_foreign(std::string const& path, FileFacts const& facts) {
  if (auto const* left_out = left_out_of(facts))
    throw Refusal(exit_refused, SpawnFault::foreign,
                  fmt::format("{} is linked with {}.so: {}", path, left_out->libraries.front(),
                              built_without(*left_out)));
  if (auto const mpi = mpi_library_of(facts); !mpi.empty())
    throw Refusal(exit_refused, SpawnFault::foreign,
                  fmt::format("{} is {}", path, objection_to_mpi(mpi)));
  auto const what = facts.needed.empty() ? std::string("it is statically linked")
                                         : "it is linked with " + joined(facts.needed);
  throw Refusal(exit_refused, SpawnFault::foreign,
                fmt::format("{} is not linked with a front end of Earl ({}): {}; relink it, for "
                            "example with `earlcc -api nx`",
                            path, front_end_libraries(), what));
}

/// The program that a wrapper will start: the first argument that is a program of Earl's.
FrontEnd const* wrapped(ProgramQuery const& query, FrontEndSearch& search) {
  for (auto const& argument : query.arguments) {
    auto const path = absolute(argument, query.working_folder);
    if (!can_run(path)) continue;
    auto const facts = facts_of_file(path);
    if (auto const* row = search.in(facts, path)) return row;
  }
  return nullptr;
}

bool starts_a_script(ProgramQuery const& query) {
  return std::ranges::any_of(query.arguments, [&](auto const& argument) {
    auto const path = absolute(argument, query.working_folder);
    return can_run(path) && facts_of_file(path).kind == FileKind::script;
  });
}

/// A program of no front end at all, written straight to the core: it declares its front end
/// itself.
bool needs_the_core(FileFacts const& facts) {
  return std::ranges::any_of(facts.needed,
                             [](auto const& library) { return library.starts_with("libearl.so"); });
}

bool is_wrapper(std::string const& path) {
  return std::ranges::find(wrappers, fs::path(path).filename().string()) != wrappers.end();
}

}  // namespace

std::string base_name(std::string_view path) { return fs::path(path).filename().string(); }

std::string find_file(ProgramQuery const& query) {
  if (query.name.empty())
    throw Refusal(exit_not_found, SpawnFault::not_found, "the name of the program is empty");
  if (query.name.find('/') != std::string::npos) return absolute(query.name, query.working_folder);
  std::error_code ignored;  // a name that is too long is nowhere
  std::optional<std::string> second_best;
  for (auto const& list : {query.folders, path_list("PATH")})
    for (auto const& folder : list) {
      auto path = absolute(folder, query.working_folder) + "/" + query.name;
      if (can_run(path)) return path;
      if (!second_best && fs::exists(path, ignored) && !is_folder(path)) second_best = path;
    }
  if (!second_best) refuse_missing(query);
  return *second_best;
}

FrontEnd const* left_out_of(FileFacts const& facts) {
  for (auto const& library : facts.needed)
    if (auto const* row = left_out_of_library(library)) return row;
  return nullptr;
}

FrontEnd const* front_end_of(FileFacts const& facts, std::string const& path,
                             std::vector<std::string> const& folders) {
  return FrontEndSearch(folders).in(facts, path);
}

std::string find_library(std::string_view library, std::vector<std::string> const& folders) {
  for (auto const& folder : folders) {
    auto path = fmt::format("{}/{}", folder, library);
    if (::access(path.c_str(), R_OK) == 0 && !is_folder(path)) return path;
  }
  return {};
}

std::vector<std::string> libraries_found_elsewhere(std::string const& path,
                                                   std::vector<std::string> const& folders) {
  std::vector<std::string> found;
  auto const facts = facts_of_file(path);
  if (!facts.search_first) return found;
  auto const written = split(expand_origin(facts.search, path));
  for (auto const& library : facts.needed)
    if (front_end_of_library(library) && !find_library(library, written).empty())
      if (auto own = find_library(library, folders); !own.empty()) found.push_back(std::move(own));
  return found;
}

std::string objection_to_mpi(std::string_view library) {
  return fmt::format(
      "a program for {}, and Earl stands in for MPICH: compile it again with `earlcc -api mpi`, or "
      "run it with that MPI's mpiexec",
      library);
}

Program find_program(ProgramQuery const& query) {
  auto const path = find_file(query);
  check_can_run(path);
  auto const facts = facts_of_file(path);
  if (facts.kind == FileKind::other)
    refuse_running(fmt::format("{} is neither an ELF program nor a script with #!", path));
  if (facts.kind == FileKind::archive || facts.kind == FileKind::object)
    refuse_running(
        fmt::format("{} is not linked: link it with `earlcc` and run the program", path));
  if (facts.kind == FileKind::foreign)
    refuse_running(fmt::format("{} is a {} program; this host runs {} ones", path,
                               architecture_text(facts.machine, facts.bits),
                               own_architecture_text()));
  FrontEndSearch search(query.libraries);
  auto const* front_end = facts.kind == FileKind::elf ? search.in(facts, path) : nullptr;
  if (!front_end) front_end = wrapped(query, search);
  if (front_end)
    return {.path = path, .front_end = std::string(front_end->name), .side = facts.side};
  bool const of_the_core = facts.kind == FileKind::elf && needs_the_core(facts);
  if (facts.kind == FileKind::elf && !of_the_core && !is_wrapper(path) && !starts_a_script(query))
    refuse_foreign(path, facts);
  return {.path = path, .front_end = {}, .of_the_core = of_the_core};
}

}  // namespace earl::exec
