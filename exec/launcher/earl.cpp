// SPDX-License-Identifier: BSD-3-Clause
/// The `earl` command: a table of subcommands, and the form of errors for its user.
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <exception>
#include <filesystem>

#include "exec/launcher/commands/commands.hpp"
#include "exec/launcher/commands/options.hpp"
#include "exec/launcher/nearest.hpp"
#include "exec/launcher/output/color.hpp"
#include "exec/launcher/programs/programs.hpp"

namespace earl::exec {

namespace {

constexpr std::array all{
    Command{
        .name = "run", .summary = "run programs as the processes of one job", .run = run_command},
    Command{.name = "record", .summary = "run a job and record it", .run = record_command},
    Command{.name = "replay", .summary = "run a recorded job again", .run = replay_command},
    Command{.name = "show", .summary = "show the contents of a recording", .run = show_command},
    Command{.name = "ls", .summary = "list recordings", .run = ls_command},
    Command{.name = "check",
            .summary = "report all that a run shows to be wrong",
            .run = check_command},
    Command{.name = "races",
            .summary = "show which receives of a recording raced",
            .run = races_command},
    Command{.name = "diff", .summary = "show where two recorded runs differ", .run = diff_command},
    Command{.name = "debug",
            .summary = "walk through a recorded run, message by message",
            .run = debug_command},
    Command{.name = "view",
            .summary = "draw a recorded run as a page for a browser",
            .run = view_command},
    Command{.name = "export",
            .summary = "write a recorded run as CSV, OTF2, Paje or for Perfetto",
            .run = export_command},
    Command{.name = "flip",
            .summary = "run a recorded job again with the other outcome of a race",
            .run = flip_command},
    Command{.name = "explore",
            .summary = "run a job in all orders, to find one that fails",
            .run = explore_command},
    Command{.name = "profile",
            .summary = "show where a run spent its calls and bytes",
            .run = profile_command},
    Command{.name = "tools", .summary = "list debuggers, and how to add one", .run = tools_command},
    Command{.name = "exec",
            .summary = "run as one process of a job, under mpiexec or srun",
            .run = exec_command},
    Command{.name = "info",
            .summary = "analyze a program: its calls and back ends",
            .run = info_command},
    Command{.name = "doctor",
            .summary = "check this computer for what Earl needs",
            .run = doctor_command},
    Command{
        .name = "console", .summary = "attach a console to a running job", .run = console_command},
    Command{.name = "ps",
            .summary = "list running jobs and where their processes are",
            .run = ps_command},
    Command{.name = "config", .summary = "show settings and their origins", .run = config_command},
    Command{.name = "compat", .summary = {}, .run = compat_command},
    Command{.name = "agent", .summary = {}, .run = agent_command},
    Command{.name = "serve", .summary = {}, .run = serve_command},
    Command{.name = "shared-process", .summary = {}, .run = shared_process_command},
    Command{.name = "crash-report", .summary = {}, .run = crash_report_command},
    Command{.name = "keep", .summary = {}, .run = keep_command},
    Command{.name = "session", .summary = {}, .run = session_command},
    Command{.name = "version",
            .summary = "show the version of Earl and its parts",
            .run = version_command},
};

void print_help(std::FILE* to) {
  fmt::print(to, "Usage: earl COMMAND ...   (each command explains itself with -h)\n\n");
  for (auto const& command : commands())
    if (!command.summary.empty())
      fmt::print(to, "  earl {:<10} {}\n", command.name, command.summary);
  fmt::print(to, "\nCommands of other systems, such as getcube, load and pvm: earl compat -h\n");
}

std::vector<std::string> command_names() {
  std::vector<std::string> names;
  for (auto const& command : all)
    if (!command.summary.empty()) names.emplace_back(command.name);
  return names;
}

/// The command meant by options before it.
std::string command_among(std::vector<std::string> const& arguments) {
  auto const found = std::ranges::find_first_of(arguments, command_names());
  return found == arguments.end() ? "run" : *found;
}

/// The next thing to do for a word that is no command: "; ..." or nothing.
std::string advice_for(std::string const& word) {
  auto near = guess(word, command_names());
  std::error_code ignored;
  if (!near.empty() || !std::filesystem::is_regular_file(word, ignored)) return near;
  auto const path = word.find('/') == std::string::npos ? "./" + word : word;
  return fmt::format("; `earl run {}` runs that program", path);
}

int dispatch(std::vector<std::string> const& arguments) {
  if (arguments.empty()) {
    print_help(stderr);
    return exit_usage;
  }
  if (arguments[0] == "-h" || arguments[0] == "--help" || arguments[0] == "help") {
    bool const of_one =
        arguments.size() > 1 && arguments[1] != "help" && !arguments[1].starts_with('-');
    if (of_one) return dispatch({arguments[1], "-h"});
    print_help(stdout);
    return 0;
  }
  auto const name = arguments[0] == "--version" || arguments[0] == "-V" ? "version" : arguments[0];
  auto const found = std::ranges::find(all, name, &Command::name);
  if (found == all.end() && name.starts_with('-'))
    throw UsageError(
        "{}: options follow the command, as in `earl {} {}`; `earl -h` shows the commands", name,
        command_among(arguments), name);
  if (found == all.end())
    throw UsageError("there is no command `earl {}`{}; `earl -h` shows those there are", name,
                     advice_for(name));
  return found->run({arguments.begin() + 1, arguments.end()});
}

/// Nothing for an empty sentence: another process of the same launcher has said it.
int complain(std::string_view sentence, int exit_code) {
  if (!sentence.empty())
    fmt::print(stderr, "{} {}\n", in_color(Color::red, "earl:", STDERR_FILENO), sentence);
  return exit_code;
}

int guarded(std::vector<std::string> const& arguments) {
  try {
    return dispatch(arguments);
  } catch (HelpWanted const& help) {
    fmt::print("{}", help.what());
    return 0;
  } catch (UsageError const& error) {
    return complain(error.what(), exit_usage);
  } catch (Refusal const& refusal) {
    return complain(refusal.what(), refusal.exit_code());
  } catch (std::filesystem::filesystem_error const& error) {
    return complain(fmt::format("{}: {}", error.path1().string(), error.code().message()), 1);
  } catch (std::exception const& error) {
    return complain(error.what(), 1);
  }
}

}  // namespace

std::span<Command const> commands() { return all; }

}  // namespace earl::exec

int main(int argc, char** argv) { return earl::exec::guarded({argv + 1, argv + argc}); }
