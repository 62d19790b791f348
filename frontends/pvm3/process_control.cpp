// SPDX-License-Identifier: BSD-3-Clause
// Process control: mytid, exit, spawn, kill, export, catchout.
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <filesystem>
#include <optional>
#include <string>
#include <system_error>
#include <utility>

#include "frontends/pvm3/call.hpp"
#include "frontends/pvm3/environment.hpp"
#include "frontends/pvm3/machine.hpp"
#include "generic/contexts.hpp"
#include "generic/exec_client.hpp"

namespace earl::pvm {

namespace {

/// `where` of pvm_spawn: "place", "place:folder", ":folder".
struct Where {
  std::string place;
  std::string folder;
};

Where where_of(char const* text) {
  std::string const all = text ? text : "";
  auto const colon = all.find(':');
  if (colon == all.npos) return {.place = all, .folder = {}};
  return {.place = all.substr(0, colon), .folder = all.substr(colon + 1)};
}

using HostNumbers = std::vector<std::uint32_t>;

/// The hosts that the flags choose; no number: any will do. Null: there is none.
std::optional<HostNumbers> chosen(State& state, int flags, std::string const& place) {
  if (!(flags & (PvmTaskHost | PvmTaskArch | PvmHostCompl))) return HostNumbers{};
  auto& machine = state.machine();
  auto const named = machine.find(place);
  HostNumbers hosts;
  for (std::uint32_t host = 0; host < machine.count(); ++host) {
    bool chosen = true;
    if (flags & PvmTaskHost) {
      chosen = named == host;
    } else if (flags & PvmTaskArch) {
      chosen = place == architecture;
    }
    if (chosen != ((flags & PvmHostCompl) != 0)) hosts.push_back(host);
  }
  if (hosts.empty()) return std::nullopt;
  return hosts;
}

int code_of(SpawnFault fault) {
  switch (fault) {
    case SpawnFault::none:
      return PvmOk;
    case SpawnFault::not_found:
    case SpawnFault::denied:  // in PVM, too, a file that cannot be executed is no file
      return PvmNoFile;
    case SpawnFault::no_room:
      return PvmOutOfRes;
    default:
      break;
  }
  return PvmDenied;
}

/// argv[0] is not in PVM's list either; the new task's is the resolved path.
std::vector<std::string> arguments_of(char** argv) {
  std::vector<std::string> arguments;
  for (; argv && *argv; ++argv) arguments.emplace_back(*argv);
  return arguments;
}

struct SpawnCall {
  char const* task;
  char** argv;
  int flags;
  Where where;
  int count;
};

/// EXEC writes into the file itself: it must find there the program's earlier output. On a back end
/// whose ranks share a process, standard output is a stream without a descriptor of its own.
int descriptor_of(std::FILE* file) {
  if (!file) return -1;
  std::fflush(file);
  int const descriptor = ::fileno(file);
  if (descriptor < 0 && file == stdout) return STDOUT_FILENO;
  return descriptor < 0 && file == stderr ? STDERR_FILENO : descriptor;
}

/// pvm_catchout() is such an option, too, until the next one.
bool catches(State const& state) {
  return state.catch_file && state.options[PvmOutputCode] == caught_code;
}

/// The settings that EXEC and the new tasks read: receiver and manner of their output, base of
/// their tids, the offset for each host, and the parent's tid.
void add_output_settings(State& state, std::vector<std::string>& variables) {
  auto const to = state.id_of(state.options[PvmOutputTid]);
  if (!to || catches(state)) return;
  auto const context = context_of_number(state.options[PvmOutputContext]);
  variables.push_back(fmt::format("{}={} {} {} {} {} {}", output_variable, number(*to),
                                  static_cast<std::uint64_t>(context), state.options[PvmOutputCode],
                                  tid_on(0, Rank{0}), 1 << host_shift, state.tid()));
}

/// EXEC consumes EARL_CATCH_OUTPUT: a descriptor of this process's, the base of '#' and the offset
/// for each host, the receiver of the end of a task's output, and the prefix of each line.
std::vector<std::string> environment_of(State& state) {
  auto variables = exported_variables();
  add_output_settings(state, variables);
  if (catches(state))
    variables.push_back(fmt::format("EARL_CATCH_OUTPUT={} {} {} {} {}",
                                    descriptor_of(state.catch_file), tid_on(0, Rank{0}),
                                    1 << host_shift, static_cast<std::uint64_t>(caught_context),
                                    state.options[PvmShowTids] == 1 ? "[t#] " : ""));
  return variables;
}

std::uint32_t flags_in_row(State& state, int flags) {
  return (static_cast<std::uint32_t>(flags) & spawn_flags) | returns_of(state.id())
                                                                 << parent_returns_at;
}

SpawnAnswer start(State& state, SpawnCall const& wanted, HostNumbers hosts) {
  // PVM starts tasks in the daemon's directory, the user's home. Here there is no daemon, and the
  // spawner's own directory (an empty name) has the user's files.
  return state.me.exec().spawn({.program = wanted.task,
                                .arguments = arguments_of(wanted.argv),
                                .search = program_folders(),
                                .environment = environment_of(state),
                                .folder = wanted.where.folder,
                                .count = static_cast<std::uint32_t>(wanted.count),
                                .flags = flags_in_row(state, wanted.flags),
                                .label = static_cast<std::uint32_t>(state.context()),
                                .hosts = std::move(hosts)});
}

/// In PVM the parent writes its children's output, and pvm_exit() stays to do so.
void await_caught(State& state) {
  for (auto const rank : std::exchange(state.caught, {})) {
    MatchSpec const ended{.source = exec_rank,
                          .context = caught_context,
                          .tag = TagMatch::exactly(Tag{number(rank)})};
    if (state.me.try_take(ended, state.me.now() + std::chrono::seconds{1})) continue;
    state.me.print_line(line_about(state, "pvm_exit()", "child task(s) still running, waiting..."));
    // A report of the wait names the output.
    state.me.contexts().find_names_by([rank](Context context) {
      return context == caught_context
                 ? ContextName{.label = fmt::format("the end of rank {}'s output", number(rank))}
                 : ContextName{};
    });
    state.me.take(ended);
  }
}

bool is_missing(std::string const& folder) {
  std::error_code ignored;
  return !folder.empty() && !std::filesystem::is_directory(folder, ignored);
}

/// The reason why an existing program was not started, which PVM never gives. PVM starts tasks
/// whose directory does not exist elsewhere.
void explain(State& state, SpawnAnswer const& answer, Where const& where) {
  if (answer.fault == SpawnFault::none || state.me.cell(pvmautoerr) == 0) return;
  bool const no_folder = answer.fault == SpawnFault::not_found && is_missing(where.folder);
  if (answer.fault == SpawnFault::not_found && !no_folder) return;
  state.me.print_line(line_about(state, "pvm_spawn()",
                                 no_folder ? "there is no directory " + where.folder : answer.why));
}

int spawn(State& state, SpawnCall const& wanted, int* tids) {
  if (wanted.count < 1 || !wanted.task) return PvmBadParam;
  state.enroll();
  SpawnAnswer answer;
  int code = PvmNoHost;
  if (auto hosts = chosen(state, wanted.flags, wanted.where.place)) {
    need_machine(state);
    answer = start(state, wanted, std::move(*hosts));
    if (catches(state))
      state.caught.insert(state.caught.end(), answer.ranks.begin(), answer.ranks.end());
    explain(state, answer, wanted.where);
    code = code_of(answer.fault);
  }
  auto const started = answer.ranks.size();
  if (tids) {
    std::transform(answer.ranks.begin(), answer.ranks.end(), tids,
                   [&](Rank id) { return state.tid_of(id); });
    std::fill(tids + started, tids + wanted.count, code);
  }
  return static_cast<int>(started);
}

int flags_with_environment(int flags) {
  auto const more = variable("PVMTASK");
  return more.empty() ? flags : flags | std::atoi(more.c_str());
}

int export_variable(char const* name) {
  if (!name) return PvmBadParam;
  if (!*name) return PvmOk;
  auto names = split(variable("PVM_EXPORT"));
  if (std::find(names.begin(), names.end(), name) == names.end()) names.emplace_back(name);
  set_variable("PVM_EXPORT", join(names));
  return PvmOk;
}

int unexport_variable(char const* name) {
  if (!name) return PvmBadParam;
  auto names = split(variable("PVM_EXPORT"));
  names.erase(std::remove(names.begin(), names.end(), name), names.end());
  set_variable("PVM_EXPORT", join(names));
  return PvmOk;
}

/// A signal to a task that has ended, or never existed, is lost without an error, as in PVM.
int send_signal(State& state, int tid, int signal) {
  if (!is_task(tid)) return PvmBadParam;
  state.enroll();
  auto const target = state.id_of(tid);
  if (target && state.me.table().exists(process_of(*target), state.me.rank())) {
    need_machine(state);
    state.me.exec().signal({.target = process_of(*target), .signal = signal});
  }
  return PvmOk;
}

}  // namespace

}  // namespace earl::pvm

using namespace earl;

extern "C" {

int pvm_mytid(void) {
  return pvm::call("pvm_mytid", [](pvm::State& s) { return s.enroll(); });
}

int pvm_exit(void) {
  return pvm::call("pvm_exit", [](pvm::State& s) {
    s.me.progress();
    pvm::await_caught(s);
    s.leave();
    return PvmOk;
  });
}

int pvm_spawn(char* task, char** argv, int flag, char* where, int ntask, int* tids) {
  return pvm::call("pvm_spawn", [&](pvm::State& s) {
    return pvm::spawn(s,
                      {.task = task,
                       .argv = argv,
                       .flags = pvm::flags_with_environment(flag),
                       .where = pvm::where_of(where),
                       .count = ntask},
                      tids);
  });
}

int pvm_kill(int tid) {
  return pvm::call("pvm_kill", [&](pvm::State& s) {
    return pvm::through(s, "pvm_sendsig", pvm::send_signal(s, tid, SIGTERM));
  });
}

int pvm_sendsig(int tid, int signal) {
  return pvm::call("pvm_sendsig", [&](pvm::State& s) { return pvm::send_signal(s, tid, signal); });
}

int pvm_export(char* name) {
  return pvm::call("pvm_export", [&](pvm::State&) { return pvm::export_variable(name); });
}

int pvm_unexport(char* name) {
  return pvm::call("pvm_unexport", [&](pvm::State&) { return pvm::unexport_variable(name); });
}

int pvm_catchout(FILE* file) {
  return pvm::call("pvm_catchout", [&](pvm::State& s) {
    s.catch_file = file;
    s.options[PvmOutputTid] = file ? s.enroll() : 0;
    s.options[PvmOutputCode] = file ? pvm::caught_code : 0;
    s.options[PvmOutputContext] = file ? pvm::caught_number : 0;
    return PvmOk;
  });
}

}  // extern "C"
