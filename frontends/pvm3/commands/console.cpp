// SPDX-License-Identifier: BSD-3-Clause
/// `earl console`: talks to a running job with the commands of PVM's console.
#include "frontends/pvm3/commands/console.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "exec/launcher/commands/command_line.hpp"
#include "exec/launcher/commands/commands.hpp"
#include "exec/launcher/commands/line_reader.hpp"
#include "exec/launcher/commands/options.hpp"
#include "exec/launcher/nearest.hpp"
#include "exec/runtime/session_server.hpp"
#include "generic/base/words.hpp"

namespace earl::exec {

namespace {

using Arguments = std::vector<std::string>;

/// Where a console joins a job or virtual machine.
struct Door {
  std::string name;
  bool started = false;  ///< the virtual machine, which was not there
};

/// The virtual machine of this user, which is started when there is none.
Door virtual_machine_door() {
  auto name = boot::session_name();
  auto listener = boot::listen_as_session_server(name);
  if (!listener) return {.name = std::move(name)};
  boot::start_session(std::move(listener), boot::FirstMember::none);
  return {.name = std::move(name), .started = true};
}

Door door_of(std::string const& job) {
  auto const names = boot::console_names();
  if (job == "pvm") return virtual_machine_door();
  if (!job.empty()) {
    auto const name = "job." + job;
    if (std::ranges::count(names, name) == 0)
      throw Error("there is no job {} of yours with a console; `earl run --console` starts one",
                  job);
    return {.name = name};
  }
  if (names.empty()) return virtual_machine_door();
  if (names.size() > 1)
    throw UsageError("several of your jobs have consoles, name one of them: {}",
                     fmt::join(names, ", "));
  return {.name = names.front()};
}

Arguments command_names() {
  Arguments names;
  for (auto const& command : console_commands()) names.emplace_back(command.name);
  return names;
}

After obey(SessionClient& job, Arguments arguments) {
  auto const all = console_commands();
  auto const found = std::ranges::find(all, arguments.front(), &ConsoleCommand::name);
  if (found == all.end())
    throw UsageError("there is no command {}{}; `help` lists them", arguments.front(),
                     guess(arguments.front(), command_names()));
  arguments.erase(arguments.begin());
  return found->run(job, arguments);
}

int talk(SessionClient& job) {
  LineReader lines("pvm> ", command_names());
  for (;;) {
    auto const line = lines.next();
    if (!line) return 0;
    auto const arguments = split_words(*line);
    if (arguments.empty() || arguments.front().starts_with('#')) continue;
    try {
      if (obey(job, arguments) == After::leave) return 0;
    } catch (UsageError const& error) {
      fmt::print("{}\n", error.what());
    }
  }
}

int talk_at(std::string const& door) {
  SessionClient line(door);
  try {
    return talk(line);
  } catch (SessionGone const&) {
    fmt::print("the job has ended\n");
    return 0;
  }
}

}  // namespace

int console_command(Arguments const& arguments) {
  CommandLine options(
      "earl console",
      "Attach to a job that was started with --console, or to the virtual machine that PVM\n"
      "programs without `earl run` share; it is started when there is none.\n");
  std::string job;
  options.add_operand({.names = "JOB",
                       .help = "The process id of its `earl run`, or pvm: the virtual machine. May "
                               "be left out if there is one such job, or none"},
                      job);
  options.parse_all(arguments);
  auto const door = door_of(job);
  if (door.started)
    fmt::print(
        stderr,
        "earl: a virtual machine of PVM was started: `halt` ends it, `quit` leaves it there; "
        "`earl run --console` starts a job that a console can join\n");
  return talk_at(door.name);
}

int pvm_command(Arguments const& arguments) {
  CommandLine options(
      "pvm", "PVM's console: start the virtual machine, if there is none, and attach to it.\n");
  std::string job = "pvm";
  options.add_operand(
      {.names = "JOB", .help = "The process id of an `earl run --console`, to attach to that job"},
      job);
  options.parse_all(arguments);
  return talk_at(door_of(job).name);
}

}  // namespace earl::exec
