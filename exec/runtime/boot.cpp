// SPDX-License-Identifier: BSD-3-Clause
#include "exec/runtime/boot.hpp"

#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <optional>
#include <utility>

#include "backends/registry.hpp"
#include "debug/contents/alone.hpp"
#include "debug/registry.hpp"
#include "exec/runtime/control.hpp"
#include "exec/runtime/crash_report.hpp"
#include "exec/runtime/forking.hpp"
#include "exec/runtime/line.hpp"
#include "exec/runtime/loaded_files.hpp"
#include "exec/runtime/lone.hpp"
#include "exec/runtime/session.hpp"
#include "exec/runtime/session_server.hpp"
#include "exec/runtime/shared_process.hpp"
#include "exec/runtime/wrapper_chain.hpp"
#include "generic/base/number.hpp"
#include "generic/exec_client.hpp"
#include "generic/seams/route_port.hpp"
#include "generic/system/memory_damage.hpp"

namespace earl::boot {

namespace {

constexpr int exec_start_timeout_ms = 30'000;  ///< for an EXEC to come up, on a busy host

/// The descriptors that EXEC handed over.
struct Identity {
  Descriptor channel;
  control::Welcome welcome;
  std::vector<Descriptor> descriptors;  ///< the id table, then the back end's
};

/// The inherited descriptor that the environment names, if it is still the one that EXEC made.
Descriptor inherited_channel() {
  char const* text = std::getenv(control::variable);
  if (!text) return {};
  auto const fd = number_from<int>(text);
  ::unsetenv(control::variable);
  ::unsetenv(control::rank_variable);
  if (!fd || *fd < 0 || !is_channel(*fd)) return {};
  ::fcntl(*fd, F_SETFD, FD_CLOEXEC);
  return Descriptor(*fd);
}

bool says_welcome(UnixPacket const& arrival, Bytes packet) {
  control::Head head;
  if (arrival.what != ReceiveStatus::packet || arrival.size < sizeof head) return false;
  std::memcpy(&head, packet.data(), sizeof head);
  return head.magic == control::magic &&
         head.type == static_cast<std::uint16_t>(control::Type::welcome);
}

/// The welcome that is there; null: there is none.
std::optional<Identity> identity_from(Descriptor channel) {
  std::vector<std::byte> room(control::most_packet);
  auto const seen = peek_packet(channel.get(), room);
  if (seen.what == ReceiveStatus::end) end_without_exec();
  if (!says_welcome(seen, room)) return std::nullopt;
  auto arrival = receive_packet(channel.get(), room);
  auto message = control::Assembler{}.take(Bytes{room}.first(arrival.size));
  if (!message || message->type != control::Type::welcome) return std::nullopt;
  auto welcome = control::read<control::Welcome>(message->body.bytes());
  check_version(welcome);
  return Identity{.channel = std::move(channel),
                  .welcome = std::move(welcome),
                  .descriptors = std::move(arrival.descriptors)};
}

/// Null: this program is not the one EXEC waits for. A rank registers once: the second program of
/// a shell script finds the welcome gone and is a job of one.
std::optional<Identity> take_identity() {
  auto channel = inherited_channel();
  if (!channel) return std::nullopt;
  return identity_from(std::move(channel));
}

/// Waits for the welcome of an EXEC that this program has started or found.
Identity await_identity(Descriptor channel) {
  pollfd line{.fd = channel.get(), .events = POLLIN, .revents = 0};
  auto const ready = ::poll(&line, 1, exec_start_timeout_ms);
  auto identity =
      ready > 0 && (line.revents & POLLIN) != 0 ? identity_from(std::move(channel)) : std::nullopt;
  if (!identity)
    throw Error(Fault::no_job, "EXEC was started for this program and does not answer");
  return std::move(*identity);
}

/// If EXEC ends, so does this process. Set again here because a wrapper (sh, valgrind) may stand
/// between; a parent that is gone already is found out by the channel.
void die_with_parent(Descriptor const& channel) {
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  pollfd line{.fd = channel.get(), .events = 0, .revents = 0};
  if (::poll(&line, 1, 0) > 0 && (line.revents & POLLHUP) != 0) end_without_exec();
}

/// EXEC and `earl info --backends` know the row only: no port is there before a process is.
void check_row(Backend const& row, Limits const& limits) {
  EARL_CHECK(row.spawns == limits.spawns && row.forks == limits.forks &&
                 row.outlives_a_death == limits.outlives_a_death &&
                 row.packets_outlive_sender == limits.packets_outlive_sender,
             "the row of back end {} and the Limits of its port differ", row.name);
}

std::unique_ptr<Port> join(std::string const& name, std::span<int const> theirs, Rank rank) {
  auto const* back_end = find_back_end(name);
  if (!back_end)
    throw Error("EXEC uses the back end '{}', which this program's Earl does not have", name);
  auto port = back_end->join(theirs, rank);
  check_row(*back_end, port->limits());
  return port;
}

/// The debuggers' ports stand before the back end's.
std::unique_ptr<Port> before(std::unique_ptr<Port> port, std::vector<control::ToolUse> const& uses,
                             Rank rank, IdTable const& table) {
  for (auto const& use : uses)
    if (auto const* tool = find_tool(use.name); tool && tool->port)
      port = tool->port(use.argument, std::move(port), rank, table);
  return port;
}

std::unique_ptr<Port> join(Identity& identity, IdTable const& table) {
  std::vector<int> theirs;
  for (auto& descriptor : std::span{identity.descriptors}.subspan(1))
    theirs.push_back(descriptor.release());
  auto const& welcome = identity.welcome;
  if (welcome.link.empty()) return join(welcome.back_end, theirs, welcome.rank);
  if (welcome.here > theirs.size()) throw Error("EXEC handed over {} descriptors", theirs.size());
  std::span<int const> const all{theirs};
  return std::make_unique<RoutePort>(join(welcome.back_end, all.first(welcome.here), welcome.rank),
                                     join(welcome.link, all.subspan(welcome.here), welcome.rank),
                                     table, welcome.rank);
}

void add_debuggers(Process& process, std::vector<control::ToolUse> const& uses) {
  for (auto const& use : uses) {
    auto const* tool = find_tool(use.name);
    if (!tool)
      throw Error("EXEC uses the debugger '{}', which this program's Earl does not have", use.name);
    if (tool->in_process) process.watch(tool->in_process(use.argument, process.debugged()));
  }
}

}  // namespace

void continue_debuggers(Process& process, std::span<control::ToolUse const> uses) {
  std::vector<std::string_view> arguments;
  for (auto const& use : uses)
    if (find_tool(use.name)->in_process) arguments.push_back(use.argument);
  std::span<std::string_view const> rest{arguments};
  if (auto* const debugger = process.debugger()) debugger->continue_as(rest);
}

namespace {

/// A process that ends normally leaves; a fork()ed child has no Process and does nothing. `line`:
/// to the EXEC that started this process; null: none did.
void leave_at_exit(int exit_code, void* line) {
  if (!current_process) return;
  if (line) static_cast<ControlLine*>(line)->set_exit_code(exit_code);
  try {
    current_process->leave(exit_code);
  } catch (Error const& error) {
    end_if_damaged(current_process, error);
    fmt::print(stderr, "earl: {}\n", error.what());
  }
}

void clear_in_child() { current_process = nullptr; }

void install_process(Process* process, ControlLine* line) {
  current_process = process;
  ::on_exit(leave_at_exit, line);
}

/// Runs `step`; EXEC is notified why it failed.
template <class Step>
auto reporting_failure(Executive& exec, Step&& step) {
  try {
    return step();
  } catch (Error const& error) {
    exec.report_failure(EXIT_FAILURE, error.what(), {});
    throw;
  }
}

ProcessParts parts_of(Identity& identity, std::unique_ptr<ControlLine> line) {
  auto& exec = *line;
  auto parts = reporting_failure(exec, [&] {
    auto const table = map_table(identity.descriptors);
    auto const& welcome = identity.welcome;
    return ProcessParts{.rank = welcome.rank,
                        .table = table,
                        .port = before(join(identity, table), welcome.tools, welcome.rank, table)};
  });
  parts.executive = std::move(line);
  return parts;
}

bool in_shared_process = false;
SharedProcess const* shared_process_here = nullptr;

void join_job(Identity identity, ControlLine::Bond bond, char const* front_end) {
  auto line = std::make_unique<ControlLine>(std::move(identity.channel), bond);
  auto& exec = *line;
  // Never deleted: other libraries' destructors may still call their front end.
  auto* process = new Process(parts_of(identity, std::move(line)));
  exec.back_end_is_ready();
  reporting_failure(exec, [&] { add_debuggers(*process, identity.welcome.tools); });
  install_process(process, &exec);
  report_crashes(exec);
  exec.hello({.unix_pid = ::getpid(), .front_end = front_end});
}

void begin_job(Identity identity, char const* front_end) {
  die_with_parent(identity.channel);
  // A node that is killed must not take its last lines with it.
  std::setvbuf(stdout, nullptr, _IOLBF, 0);
  join_job(std::move(identity), ControlLine::Bond::child, front_end);
}

/// In a forked child, which keeps its parent's Process in memory and never uses it again: a leak
/// checker finds it here, and those of the parent's parents.
void begin_forked(Descriptor channel, Process const* parent, char const* front_end) {
  // Not a list that ends with the program: the checker looks after that.
  [[gnu::used]] static auto* const parents = new std::vector<Process const*>;
  parents->push_back(parent);
  try {
    await_welcome(channel);
    auto identity = await_identity(std::move(channel));
    // Ends that are meant for the nodes must not reach the process that has started the parent.
    if (identity.welcome.group > 0) ::setpgid(0, identity.welcome.group);
    join_job(std::move(identity), ControlLine::Bond::forked, front_end);
  } catch (Error const& error) {
    fmt::print(stderr, "earl: {}\n", error.what());
    ::_exit(1);
  }
}

/// The arguments of load().
struct Loading {
  char const* front_end = nullptr;
  char const* advice = nullptr;
};

/// `mpiexec -n 4 ./node` starts four jobs of one process each, which is seldom meant.
void warn_of_launcher() {
  for (auto const* row : back_ends()) {
    auto const part = row->launched();
    if (part.all > 1 && part.rank == 0)
      fmt::print(stderr,
                 "earl: a launcher has started {} processes, and each is a job of its own; "
                 "`mpiexec -n {} earl exec PROGRAM` makes them one job\n",
                 part.all, part.all);
  }
}

void be_alone(Loading const& loading) {
  warn_of_launcher();
  install_process(new Process({.rank = Rank{0},
                               .table = IdTable(lone_table(loading.front_end)),
                               .port = lone_port(loading.advice),
                               .executive = std::make_unique<NoLine>()}),
                  nullptr);
}

std::string_view mode_of(char sign) {
  switch (sign) {
    case '!':
      return "gdb";
    case '*':
      return "forks";
    default:
      return "until";
  }
}

/// One process of a recorded run, without the others: "3:DIR", or up to a call "3@120:DIR", with
/// gdb there "3!120:DIR", or kept at the calls that are asked for on a descriptor "3*7:DIR".
void be_recorded(std::string const& which) {
  ::unsetenv(alone_variable);
  auto const colon = std::min(which.find(':'), which.size());
  auto const stop = std::min(which.find_first_of("@!*"), colon);
  auto const rank = number_from<std::int32_t>(which.substr(0, stop));
  if (!rank || *rank < 0 || colon == which.size())
    throw Error("{}={}: RANK:DIR is needed; `earl replay --alone` sets it", alone_variable, which);
  auto const folder = which.substr(colon + 1);
  auto argument = folder;
  if (stop != colon)
    argument = fmt::format("{}={}{}|{}", mode_of(which[stop]),
                           which[stop] == '*' ? "" : fmt::format("{}@", *rank),
                           which.substr(stop + 1, colon - stop - 1), folder);
  auto parts = contents::alone(folder, Rank{*rank});
  std::setvbuf(stdout, nullptr, _IOLBF, 0);
  auto* process = new Process({.rank = Rank{*rank},
                               .table = parts.table,
                               .port = std::move(parts.port),
                               .executive = std::move(parts.executive)});
  add_debuggers(*process, {{.name = "replay", .argument = argument}});
  install_process(process, nullptr);
}

Process* take_part(Loading const& loading) {
  ::pthread_atfork(nullptr, nullptr, clear_in_child);
  try {
    if (auto const* const alone = std::getenv(alone_variable))
      be_recorded(alone);
    else if (auto identity = take_identity())
      begin_job(std::move(*identity), loading.front_end);
    else
      be_alone(loading);
  } catch (Error const& error) {
    fmt::print(stderr, "earl: {}\n", error.what());
    ::_exit(1);
  }
  return current_process;
}

/// The Process of a program that has made no call yet and has this library from a preloaded one
/// only; null: none.
Loading waiting;

Process* begin(Loading const& loading) {
  if (in_shared_process) return nullptr;
  chain_wrappers();
  // It passes its identity on to the program that it starts, as it would without the preloaded one.
  if (!only_preloaded(LoadedFiles{})) return take_part(loading);
  waiting = loading;
  return nullptr;
}

}  // namespace

Process* late_process() {
  auto const loading = std::exchange(waiting, {});
  return loading.front_end ? take_part(loading) : nullptr;
}

bool has_job() {
  return std::getenv(control::variable) != nullptr || std::getenv(alone_variable) != nullptr;
}

void load(char const* front_end, char const* advice) {
  // Once per program, not per process: a forked child that loads another front end gets none. It
  // still holds the Process's memory here, so that a leak checker has nothing to say.
  [[gnu::used]] static Process const* const made = begin({front_end, advice});
}

void end_if_damaged(Process* me, Error const& error) {
  if (me != nullptr && dynamic_cast<MemoryDamage const*>(&error) != nullptr)
    me->debugged().stop(MemoryDamage::exit_code, error.what());
}

void become_shared_process() { in_shared_process = true; }

void set_shared_process(SharedProcess const& shared_process) {
  shared_process_here = &shared_process;
}

SharedProcess const* shared_process() { return shared_process_here; }

namespace {

MutableBytes map_table(std::span<Descriptor const> descriptors, int protection, int flags) {
  if (descriptors.empty()) throw Error("EXEC handed over no id table");
  struct stat facts {};
  auto const fd = descriptors.front().get();
  if (::fstat(fd, &facts) != 0) throw Error("the id table: {}", system_message(errno));
  auto const size = static_cast<std::size_t>(facts.st_size);
  void* memory = ::mmap(nullptr, size, protection, flags, fd, 0);
  if (memory == MAP_FAILED) throw Error("the id table: {}", system_message(errno));
  return {static_cast<std::byte*>(memory), size};
}

}  // namespace

IdTable map_table(std::span<Descriptor const> descriptors) {
  return IdTable(map_table(descriptors, PROT_READ, MAP_SHARED));
}

MutableBytes map_own_table(std::span<Descriptor const> descriptors) {
  return map_table(descriptors, PROT_READ | PROT_WRITE, MAP_PRIVATE);
}

void check_version(control::Welcome const& welcome) {
  if (welcome.packets != packet_version)
    throw Error(
        "this program uses version {} of Earl's packets and the `earl` command {}: "
        "take both from one installation",
        packet_version, welcome.packets);
}

Process& make_rank(SharedProcessParts const& parts, Rank rank, std::unique_ptr<RankLine> line) {
  std::vector<int> theirs;
  for (auto const& descriptor : parts.descriptors) theirs.push_back(descriptor.get());
  auto* process = new Process({.rank = rank,
                               .table = parts.table,
                               .port = before(join(parts.welcome.back_end, theirs, rank),
                                              parts.welcome.tools, rank, parts.table),
                               .executive = std::move(line)});
  current_process = process;
  add_debuggers(*process, parts.welcome.tools);
  return *process;
}

namespace {

/// A bare program's earlier output precedes the output of other processes of its new job.
void become_guest(char const* front_end, Identity identity) {
  std::fflush(nullptr);
  auto line = std::make_unique<ControlLine>(std::move(identity.channel), ControlLine::Bond::guest);
  auto& exec = *line;
  Process& process = *current_process;
  process.join(parts_of(identity, std::move(line)));
  reporting_failure(exec, [&] { add_debuggers(process, identity.welcome.tools); });
  exec.hello({.unix_pid = ::getpid(), .front_end = front_end});
}

/// EXEC closes the line without a welcome.
bool is_turned_away(Descriptor const& channel) {
  pollfd line{.fd = channel.get(), .events = POLLIN, .revents = 0};
  if (::poll(&line, 1, exec_start_timeout_ms) <= 0) return false;
  std::array<std::byte, sizeof(control::Head)> head{};
  return peek_packet(channel.get(), head).what == ReceiveStatus::end;
}

}  // namespace

void become_host(char const* front_end, std::string_view session_server) {
  auto channel = session_server.empty() ? start_exec() : connect_session_server(session_server);
  if (!channel) throw Error(Fault::no_job, "{}", no_such_session(session_server));
  become_guest(front_end, await_identity(std::move(channel)));
}

bool join_session(char const* front_end) {
  auto channel = connect_session_server(session_name());
  // One that ends accepts no process any more.
  if (!channel || is_turned_away(channel)) return false;
  become_guest(front_end, await_identity(std::move(channel)));
  return true;
}

bool start_session(char const* front_end) {
  auto listener = listen_as_session_server(session_name());
  if (!listener) return false;
  auto channel = start_session(std::move(listener), FirstMember::caller);
  if (is_turned_away(channel))
    throw Error(
        Fault::no_job,
        "the virtual machine could not be started: its EXEC ended at once; standard error or "
        "the log (pvml.{} in PVM_TMP, else in /tmp) says why",
        ::geteuid());
  become_guest(front_end, await_identity(std::move(channel)));
  return true;
}

Forked fork_into(char const* front_end, Places const& where) {
  Process& parent = *current_process;
  auto line = make_fork_line();
  std::fflush(nullptr);
  auto const child = ::fork();
  if (child < 0)
    throw Error(Fault::full, "no room for one more process: {}", system_message(errno));
  if (child == 0) {
    line.exec.close();
    begin_forked(std::move(line.child), &parent, front_end);
    return {};
  }
  line.child.close();
  Forked forked{
      .unix_pid = child,
      .answer = parent.exec().adopt({.where = where, .unix_pid = child}, line.exec.get())};
  line.exec.close();
  if (forked.answer.fault != LoadFault::none) mark_ended(child);
  return forked;
}

bool start_session_server(std::string_view name, std::uint32_t places) {
  auto listener = listen_as_session_server(name);
  if (!listener) return false;
  start_session_server(std::move(listener), mark_of_shell(name), name, places);
  return true;
}

bool has_session_server(std::string_view name) {
  return !name.empty() && std::ranges::count(session_server_names(), name) != 0;
}

std::vector<std::string> sessions() { return session_server_names(); }

std::string default_session() {
  auto name = default_session_name();
  if (has_session_server(name)) return name;
  if (char const* const chosen = std::getenv("EARL_CUBE"); chosen && *chosen) return {};
  name = cube_of_shell();
  return has_session_server(name) ? name : std::string{};
}

}  // namespace earl::boot
