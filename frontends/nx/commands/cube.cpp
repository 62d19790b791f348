// SPDX-License-Identifier: BSD-3-Clause
/// The shell commands of Intel's machines: getcube load startcube waitcube killcube relcube
/// cubeinfo. Scripts in libexec/earl/compat call them as `earl compat NAME`.
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
#include <cstdlib>
#include <filesystem>

#include "exec/launcher/commands/command_line.hpp"
#include "exec/launcher/commands/commands.hpp"
#include "exec/launcher/commands/options.hpp"
#include "exec/launcher/commands/run.hpp"
#include "exec/launcher/commands/session_client.hpp"
#include "exec/launcher/nearest.hpp"
#include "exec/launcher/programs/programs.hpp"
#include "exec/runtime/boot.hpp"
#include "exec/runtime/session_server.hpp"
#include "generic/base/number.hpp"

namespace earl::exec {

namespace {

using Arguments = std::vector<std::string>;

/// The one partition a session server holds.
constexpr std::uint32_t kept_partition = 1;

/// "8", "d3", and then letters for boards and memory, which all nodes have here.
std::uint32_t nodes_in(std::string_view type) {
  if (type.empty())
    return std::bit_floor(static_cast<std::uint32_t>(::sysconf(_SC_NPROCESSORS_ONLN)));
  bool const dimension = type.front() == 'd';
  auto const digits = type.substr(dimension ? 1 : 0);
  std::uint32_t number = 0;
  auto const parsed = std::from_chars(digits.data(), digits.data() + digits.size(), number);
  if (parsed.ec != std::errc{} || (dimension && number > 12))
    throw UsageError("-t {}: this is no cube type; -t 8 or -t d3 gets 8 nodes", type);
  auto const nodes = dimension ? 1U << number : number;
  if (!std::has_single_bit(nodes) || nodes > 4096)
    throw UsageError("-t {}: {} nodes are no hypercube; 1, 2, 4, 8 ... 4096 are", type, nodes);
  return nodes;
}

/// Without -c.
std::string usual_cube() {
  auto const there = boot::default_session();
  return there.empty() ? boot::default_session_name() : there;
}

struct Wanted {
  std::string cube = usual_cube();
  std::string type;
  std::int32_t pid = 0;
  bool hold = false;
  bool all = false;
};

void add_cube(CommandLine& line, Wanted& wanted) {
  line.add_value({.names = "-c", .help = "The cube's name", .type = "NAME"}, wanted.cube);
}

std::int32_t parse_number(std::string const& text) {
  auto const number = number_from<std::int32_t>(text);
  if (!number) throw UsageError("{} is no number", text);
  return *number;
}

int getcube(Arguments const& arguments) {
  CommandLine line("getcube", "Get a cube, which is kept until relcube.\n");
  Wanted wanted;
  wanted.cube = boot::default_session_name();
  add_cube(line, wanted);
  line.add_value({.names = "-t", .help = "How many nodes: 8, or d3 for 2^3", .type = "TYPE"},
                 wanted.type);
  line.parse_all(arguments);
  auto const nodes = nodes_in(wanted.type);
  if (!boot::start_session_server(wanted.cube, nodes))
    throw Error("there is a cube {} already; relcube releases it", wanted.cube);
  SessionClient const answers(wanted.cube);
  fmt::print("getcube successful: cube {} of {} nodes\n", wanted.cube, nodes);
  return 0;
}

void load_on(SessionClient& session_server, LoadRequest const& request) {
  auto const answer = session_server.ask<LoadAnswer>(Operation::load, request);
  if (answer.fault == LoadFault::in_use)
    throw Error("a process with pid {} is there already (killcube ends it)", request.where.label);
  if (answer.fault == LoadFault::unknown)
    throw UsageError("there is no node {} in this cube", request.where.place);
  if (answer.fault == LoadFault::not_started) {
    bool const missing = answer.started.fault == SpawnFault::not_found;
    throw Refusal(missing ? exit_not_found : exit_not_executable, answer.started.fault,
                  answer.started.why);
  }
}

int load(Arguments const& arguments) {
  CommandLine line("load",
                   "Start a program on the nodes of a cube, all of them or those listed first.\n");
  line.set_footer("Then [NODE...] PROGRAM [ARGUMENT...]\n");
  line.stop_at_operand();
  Wanted wanted;
  std::string pid = "0";
  add_cube(line, wanted);
  line.add_value({.names = "-p", .help = "The processes' pid", .type = "PID"}, pid);
  line.add_flag({.names = "-H", .help = "Hold them until startcube"}, wanted.hold);
  auto rest = line.parse(arguments);
  wanted.pid = parse_number(pid);
  std::vector<std::int32_t> nodes;
  while (!rest.empty() && number_from<std::int32_t>(rest.front())) {
    nodes.push_back(*number_from<std::int32_t>(rest.front()));
    rest.erase(rest.begin());
  }
  if (rest.empty()) throw UsageError("no program is named; for example: load ./node");
  if (nodes.empty()) nodes.push_back(any_place);
  SessionClient session_server(wanted.cube);
  LoadRequest request{.what = {.program = rest.front(),
                               .arguments = {rest.begin() + 1, rest.end()},
                               .search = {"."},
                               .folder = std::filesystem::current_path().string()},
                      .where = {.partition = kept_partition, .label = wanted.pid},
                      .held = wanted.hold};
  // A process that is started first must find the others.
  if (nodes.size() > 1)
    for (auto const node : nodes) {
      request.where.place = node;
      session_server.ask<ReserveAnswer>(Operation::reserve, request.where);
    }
  for (auto const node : nodes) {
    request.where.place = node;
    load_on(session_server, request);
  }
  return 0;
}

/// One of the commands that take a cube and perhaps a node and a pid.
int act(std::string const& name, std::string const& summary, Operation operation,
        Arguments const& arguments) {
  CommandLine line(name, summary);
  line.stop_at_operand();
  Wanted wanted;
  add_cube(line, wanted);
  auto const rest = line.parse(arguments);
  Places where{.partition = kept_partition};
  if (rest.size() > 2) throw UsageError("{} takes a node and a pid at most", name);
  std::array<std::int32_t*, 2> const places{&where.place, &where.label};
  for (std::size_t i = 0; i < rest.size(); ++i) *places[i] = parse_number(rest[i]);
  SessionClient session_server(wanted.cube);
  if (operation == Operation::wait_all)
    session_server.ask<WaitAnswer>(operation, where);
  else
    session_server.ask<CountAnswer>(operation, where);
  if (operation == Operation::release) fmt::print("relcube released 1 cube\n");
  return 0;
}

int startcube(Arguments const& arguments) {
  return act("startcube", "Start what was loaded with -H.\n", Operation::unhold, arguments);
}

int waitcube(Arguments const& arguments) {
  return act("waitcube", "Wait until all that was loaded has ended.\n", Operation::wait_all,
             arguments);
}

int killcube(Arguments const& arguments) {
  return act("killcube", "End what runs in a cube: [NODE [PID]].\n", Operation::end_processes,
             arguments);
}

int relcube(Arguments const& arguments) {
  return act("relcube", "End what runs in a cube, and give it back.\n", Operation::release,
             arguments);
}

/// None, when it is released while we look.
std::vector<PartitionFacts> cubes_of(std::string const& session_server) {
  try {
    return SessionClient(session_server).ask<PartitionList>(Operation::partitions, Nothing{}).all;
  } catch (SessionGone const&) {
    return {};
  }
}

int cubeinfo(Arguments const& arguments) {
  CommandLine line("cubeinfo", "List the cubes you have got.\n");
  Wanted wanted;
  line.add_flag({.names = "-a", .help = "Those of all hosts, which is one here"}, wanted.all);
  line.parse_all(arguments);
  fmt::print("{:<16} {:>6} {:>10}  {}\n", "CUBE", "NODES", "PROCESSES", "HOST");
  for (auto const& name : boot::session_server_names())
    for (auto const& facts : cubes_of(name))
      fmt::print("{:<16} {:>6} {:>10}  {}\n", facts.name, facts.places, facts.processes,
                 facts.attached ? "attached" : "none");
  return 0;
}

/// 0: this shell has got no cube.
std::uint32_t nodes_of_shells_cube() {
  auto const name = boot::default_session();
  if (name.empty()) return 0;
  auto const cubes = cubes_of(name);
  return cubes.empty() ? 0 : cubes.front().places;
}

}  // namespace

void take_shells_cube(Plan& plan, std::vector<Program> const& programs) {
  constexpr auto variable = "EARL_NX_NODES";
  bool const may = programs.size() == 1 && !plan.apps.front().counted && !plan.environment &&
                   programs.front().front_end == "nx" && programs.front().side != Side::node;
  if (!may || std::getenv(variable) != nullptr) return;
  auto const nodes = nodes_of_shells_cube();
  if (nodes == 0) return;
  fmt::print(stderr,
             "earl: the job of this command gets a cube of its own, of {} nodes like the one that "
             "getcube has got\n",
             nodes);
  plan.apps.front().assignments.push_back(fmt::format("{}={}", variable, nodes));
}

std::span<Command const> cube_commands() {
  static constexpr std::array commands{
      Command{"getcube", "", getcube},     Command{"load", "", load},
      Command{"startcube", "", startcube}, Command{"waitcube", "", waitcube},
      Command{"killcube", "", killcube},   Command{"relcube", "", relcube},
      Command{"cubeinfo", "", cubeinfo}};
  return commands;
}

}  // namespace earl::exec
