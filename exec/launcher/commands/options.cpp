// SPDX-License-Identifier: BSD-3-Clause
#include "exec/launcher/commands/options.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdlib>
#include <filesystem>
#include <sstream>
#include <utility>

#include "backends/registry.hpp"
#include "debug/breakpoints/breakpoints.hpp"
#include "debug/registry.hpp"
#include "exec/launcher/commands/command_line.hpp"
#include "exec/launcher/commands/job_options.hpp"
#include "exec/launcher/commands/recordings.hpp"
#include "exec/launcher/hosts/batch.hpp"
#include "exec/launcher/hosts/host_list.hpp"
#include "exec/launcher/hosts/link_choice.hpp"
#include "exec/launcher/hosts/tasks.hpp"
#include "exec/launcher/nearest.hpp"
#include "exec/launcher/programs/tool_file.hpp"
#include "exec/launcher/resources/processors.hpp"
#include "exec/launcher/settings/environment.hpp"
#include "generic/base/id_table.hpp"
#include "generic/base/number.hpp"

namespace earl::exec {

namespace {

using Arguments = std::vector<std::string>;

/// The settings for one program.
struct RawApp {
  std::string count = "1";
  std::string folder;
  Arguments assignments;
  std::string environment = "all";
  std::string processors;
};

/// The parts between arguments that are a colon alone.
std::vector<Arguments> parts_of(Arguments const& arguments) {
  std::vector<Arguments> parts(1);
  for (auto const& word : arguments)
    if (word == ":")
      parts.emplace_back();
    else
      parts.back().push_back(word);
  return parts;
}

/// One line each, for the help text.
template <class Rows>
std::string described(Rows const& rows) {
  std::size_t width = 10;
  for (auto const* row : rows) width = std::max(width, row->name.size());
  std::string text;
  for (auto const* row : rows)
    text += fmt::format("\n    {:<{}} {}", row->name, width, row->summary);
  return text;
}

std::string back_end_list() {
  auto rows = described(back_ends());
  if (!missing_network().empty()) return rows;
  return rows +
         fmt::format("\n    {:<10} the network between hosts: tcp, or libfabric by EARL_NET_LINK",
                     network_option);
}

/// With the value that it has by default, if it has one.
std::string help_of(Setting const& row) {
  bool const has_default = !row.type_name.empty() && row.usual != "none";
  auto const text =
      has_default ? fmt::format("{} [{}]", row.help, row.usual) : std::string(row.help);
  return row.key == "on" ? text + ":" + back_end_list() : text;
}

void add_setting(CommandLine& line, Setting const& row, std::string& value) {
  OptionRow const option{.names = row.short_option.empty()
                                      ? row.option()
                                      : fmt::format("{},{}", row.short_option, row.option()),
                         .help = help_of(row),
                         .type = std::string(row.type_name),
                         .group = std::string(row.group)};
  row.type_name.empty() ? line.add_flag(option, value) : line.add_value(option, value);
}

void add_app_options(CommandLine& line, RawApp& raw) {
  auto const group = "Options of one program";
  line.add_value(
      {.names = "-n,--np", .help = "Number of processes [1]", .type = "N", .group = group},
      raw.count);
  line.add_value({.names = "--wdir",
                  .help = "Run it in DIR; PROGRAM is looked up in the current directory",
                  .type = "DIR",
                  .group = group},
                 raw.folder);
  line.add_values(
      {.names = "-x",
       .help = "Give it this variable, with this value or the one it has here; may be repeated",
       .type = "NAME[=VALUE]",
       .group = group},
      raw.assignments);
  line.add_value({.names = "--env",
                  .help = "Variables that it inherits: all, or none but those of -x [all]",
                  .type = "all|none",
                  .group = group},
                 raw.environment);
  line.add_value({.names = "--cpus",
                  .help = "Run it on these CPUs only, as in 0-3,6",
                  .type = "LIST",
                  .group = group},
                 raw.processors);
}

App apply_app(RawApp const& raw, Arguments command) {
  App app{.count = parse_count(raw.count), .command = std::move(command), .folder = raw.folder};
  for (auto const& assignment : raw.assignments)
    app.assignments.push_back(parse_assignment(assignment));
  if (raw.environment != "all" && raw.environment != "none")
    throw UsageError("--env {}: all or none is needed{}", raw.environment,
                     guess(raw.environment, {"all", "none"}));
  app.bare_environment = raw.environment == "none";
  if (!raw.processors.empty()) static_cast<void>(parse_processors(raw.processors));
  app.processors = raw.processors;
  return app;
}

/// Where a number is expected.
bool names_program(std::string const& text) {
  std::error_code ignored;
  return text.find('/') != std::string::npos || std::filesystem::exists(text, ignored);
}

App parse_app(CommandLine& line, Arguments const& arguments, bool launcher_counts = false) {
  RawApp raw;
  line.stop_at_operand();
  add_app_options(line, raw);
  if (launcher_counts) line.hide("-n");
  auto command = line.parse(arguments);
  // `-n ./prog` has taken the program for the number.
  if (command.empty() && line.count("-n") != 0) static_cast<void>(parse_count(raw.count));
  if (command.empty())
    throw UsageError("no program is named; for example: {} -n 4 ./prog", line.command());
  auto app = apply_app(raw, std::move(command));
  app.counted = line.count("-n") != 0;
  return app;
}

/// Options of the whole job that come after a colon.
void refuse_late_options(Arguments const& arguments, std::string const& command) {
  CommandLine line(command, "");
  RawJob raw;
  add_job_options(line, raw);
  auto const known = line.names();
  auto const option =
      arguments.empty() ? std::string{} : arguments.front().substr(0, arguments[0].find('='));
  if (std::ranges::find(known, option) != known.end())
    throw UsageError("{} concerns the whole job: it belongs before the first program", option);
}

/// Long options of Earl's among a program's arguments; and -n, where there is no number of
/// processes.
Arguments late_options(CommandLine const& line, std::vector<App> const& apps) {
  auto const known = line.names();
  Arguments found;
  for (auto const& app : apps)
    for (auto const& word : std::span{app.command}.subspan(1)) {
      auto const name = word.substr(0, word.find('='));
      bool const is_long = name.starts_with("--") && std::ranges::count(known, name) != 0;
      bool const is_count = !app.counted && (name == "-n" || name == "-np");
      if ((is_long || is_count) && std::ranges::count(found, name) == 0) found.push_back(name);
    }
  return found;
}

/// The path as the user meant it here: processes may run in other folders.
control::ToolUse parse_tool_of_job(std::string const& text) {
  auto use = parse_tool(text);
  auto const* const tool = find_tool(use.name);
  if (tool && tool->takes_path && !use.argument.empty())
    use.argument = std::filesystem::absolute(use.argument).string();
  return use;
}

void check_tools(Plan const& plan) {
  Arguments names;
  for (auto const* row : tools()) names.emplace_back(row->name);
  for (auto const& use : plan.tools)
    if (std::ranges::count(names, use.name) == 0)
      throw UsageError("--tool {}: there is no such debugger; there is: {}{}", use.name,
                       names.empty() ? "none" : fmt::format("{}", fmt::join(names, ", ")),
                       std::filesystem::exists(use.name) ? "; of a file say ./" + use.name
                                                         : guess(use.name, names));
}

/// gdb takes the terminal: no rank reads standard input.
void apply_gdb(Plan& plan) {
  if (!find_back_end(plan.back_end)->shared_process)
    throw UsageError(
        "--gdb: on {} each rank is a process of its own, and gdb is for one; with --on fibers "
        "all are in one",
        plan.back_end);
  plan.gdb = true;
  plan.reader.reset();
}

/// Where the user names none.
void take_hosts_of_back_end(Plan& plan) {
  auto const& back_end = *find_back_end(plan.back_end);
  if (!plan.hosts.empty() || !back_end.hosts) return;
  for (auto& name : back_end.hosts()) plan.hosts.push_back({.name = std::move(name)});
  plan.hosts_named = plan.hosts.empty();
}

/// For hosts that the back end need not know in advance. Within one host it is shared memory, or
/// the transport that works everywhere.
bool links_hosts(Plan const& plan) {
  return plan.back_end == "shm" || joins_hosts(*find_back_end(plan.back_end));
}

/// Whether the user or a batch system names them.
bool takes_any_hosts(Plan const& plan) {
  return links_hosts(plan) || find_back_end(plan.back_end)->span;
}

void check_back_end(Plan const& plan) {
  if (auto const sentence = missing_network();
      !sentence.empty() && !plan.hosts.empty() && plan.back_end == "shm")
    throw UsageError("--hosts: {}", sentence);
  if (plan.hosts.empty() || links_hosts(plan) || find_back_end(plan.back_end)->spans_hosts) return;
  throw UsageError(
      "--hosts: {} does not reach other hosts; leave out --on {}, and Earl takes what "
      "does",
      plan.back_end, plan.back_end);
}

/// Follows mpiexec and its like. One host that is this one needs no launcher.
void take_batch_hosts(Plan& plan, Settings const& settings, std::string const& command) {
  auto const said = [&](char const* key) {
    return settings.at(*find_setting(key)).origin != Settings::built_in;
  };
  if (said("hosts") || said("hostfile")) return;
  refuse_several_tasks(command);
  if (plan.console || !takes_any_hosts(plan)) return;
  auto allocation = find_allocation();
  if (!allocation || (allocation->hosts.size() == 1 && is_this_host(allocation->hosts[0].name)))
    return;
  plan.hosts = std::move(allocation->hosts);
  plan.batch_system = std::move(allocation->system);
  if (!said("launcher")) plan.launcher = std::move(allocation->launcher);
}

/// The settings that the events of a job depend on. The behaviour of blocking sends is kept as a
/// debugger.
std::vector<std::string> kept_settings(Settings const& settings) {
  std::vector<std::string> kept;
  for (auto const* key :
       {"stdin", "max-processes", "message-memory", "stack", "seed", "time", "deadlock"}) {
    auto const& value = settings.at(*find_setting(key));
    if (value.origin != Settings::built_in) kept.push_back(fmt::format("{}={}", key, value.text));
  }
  return kept;
}

constexpr std::array host_options{"--hosts", "--hostfile", "--launcher", "--listen"};

/// Options of jobs whose processes Earl schedules.
constexpr std::array fiber_options{"--gdb", "--seed", "--stack", "--time"};

/// The options that the user's launcher decides about, by choosing the back end, too, are accepted
/// here, to be refused with a reason.
void hide_launchers_options(CommandLine& line) {
  for (auto const* name : host_options) line.hide(name);
  for (auto const* name : fiber_options) line.hide(name);
  line.hide("--on");
}

/// `mpiexec -n 4 earl exec ./prog`
void leave_to_launcher(Plan& plan, CommandLine const& line, JobOptions const& options) {
  if (plan.apps.size() != 1 || plan.apps.front().counted)
    throw UsageError(
        "-n: the launcher, mpiexec or srun, chooses how many processes there are, and of which "
        "programs: mpiexec -n 4 earl exec ./prog");
  for (auto const* name : host_options)
    if (line.count(name) != 0)
      throw UsageError(
          "{}: the launcher, mpiexec or srun, has chosen the hosts; `earl run` takes it", name);
  if (plan.back_end != options.back_end)
    throw UsageError(
        "--on {}: below this launcher the back end is {}; `earl run --on {}` takes others",
        plan.back_end, options.back_end, plan.back_end);
  plan.hosts = options.hosts;
  check_back_end(plan);
  check_secure(plan);
  plan.apps.front().count = options.places;
  plan.apps.front().counted = true;
}

/// The programs after the first one.
void add_apps(Plan& plan, std::vector<Arguments> const& parts, std::string const& command) {
  for (auto const& arguments : std::span{parts}.subspan(1)) {
    refuse_late_options(arguments, command);
    CommandLine next(command, "");
    plan.apps.push_back(parse_app(next, arguments));
  }
}

}  // namespace

void add_settings(CommandLine& line, RawJob& raw) {
  for (std::size_t i = 0; i < raw.values.size(); ++i)
    add_setting(line, setting_rows()[i], raw.values[i]);
}

void add_job_options(CommandLine& line, RawJob& raw) {
  std::string const group(debugging_options);
  add_settings(line, raw);
  line.add_values(
      {.names = "--tool",
       .help =
           "Run the job under a debugger; or load a library: a tool of your own or a wrapper of "
           "calls; may be repeated:" +
           described(tools()),
       .type = "NAME[=ARG]|FILE[:ARG]",
       .group = group},
      raw.tools);
  line.add_values({.names = "--break",
                   .help = "Start gdb in the process where all of WHERE holds; may be repeated: "
                           "rank=3,call=crecv,at=racy.c:31,peer=2,tag=7,nth=5",
                   .type = "WHERE",
                   .group = group},
                  raw.breakpoints);
  line.add_flag(
      {.names = "--gdb", .help = "Run all ranks under one gdb (fibers only)", .group = group},
      raw.gdb);
  line.add_flag({.names = "--dry-run",
                 .help = "Show the processes that would be started, and start none",
                 .group = group},
                raw.dry_run);
}

/// NAME=VALUE; a name alone brings the value it has here.
std::string parse_assignment(std::string const& text) {
  auto const name = text.substr(0, text.find('='));
  if (name.empty()) throw UsageError("-x {}: NAME or NAME=VALUE is needed", text);
  if (name.size() < text.size()) return text;
  char const* value = std::getenv(name.c_str());
  if (!value)
    throw UsageError("-x {}: there is no such variable here; -x {}=VALUE gives one", name, name);
  return name + "=" + value;
}

void put_command_line(Settings& settings, CommandLine const& line, RawJob const& raw) {
  for (std::size_t i = 0; i < raw.values.size(); ++i) {
    auto const& row = setting_rows()[i];
    if (line.count(row.option()) != 0)
      settings.put(row, raw.values[i], "command line",
                   fmt::format("{} {}", row.option(), raw.values[i]));
  }
}

/// A debugger by its name, or a file.
void add_tool(Plan& plan, std::string const& text) {
  if (names_file(text))
    plan.tool_files.push_back(parse_tool_file(text));
  else
    plan.tools.push_back(parse_tool_of_job(text));
}

/// Other back ends would ignore them.
void check_settings_of_fibers(Plan const& plan, Settings const& settings) {
  if (find_back_end(plan.back_end)->shared_process) return;
  auto const typed = [&](char const* key) {
    auto const& value = settings.at(*find_setting(key));
    return value.origin == "command line" ? value.text : std::string{};
  };
  if (auto const seed = typed("seed"); !seed.empty())
    throw UsageError(
        "--seed {}: on {} the system schedules the processes; with --on fibers Earl does, by this "
        "seed",
        seed, plan.back_end);
  if (auto const stack = typed("stack"); !stack.empty())
    throw UsageError(
        "--stack {}: on {} the system gives the processes their stacks, by `ulimit -s`; with --on "
        "fibers Earl does",
        stack, plan.back_end);
  if (plan.virtual_time)
    throw UsageError(
        "--time virtual: on {} each process has the system's clock; with --on fibers they have "
        "one of their own",
        plan.back_end);
}

void apply_job(Plan& plan, RawJob const& raw, Settings const& settings) {
  settings.apply_to(plan);
  plan.kept_settings = kept_settings(settings);
  take_hosts_of_back_end(plan);
  check_back_end(plan);
  check_secure(plan);
  // gdb knows the programs of a shared process if it is there from the start.
  bool const all_at_once = find_back_end(plan.back_end)->shared_process != nullptr;
  if (raw.gdb || (!raw.breakpoints.empty() && all_at_once)) apply_gdb(plan);
  for (auto const& tool : raw.tools) add_tool(plan, tool);
  for (auto const& where : raw.breakpoints)
    plan.tools.push_back({.name = std::string(break_tool.name), .argument = where});
  plan.dry_run = raw.dry_run;
  check_tools(plan);
  check_settings_of_fibers(plan, settings);
}

void check_sizes(Plan const& plan) {
  std::uint64_t count = 0;
  for (auto const& app : plan.apps) count += app.count;
  if (fills_hosts(plan)) count = slots_of(plan.hosts);
  if (count > most_ranks)
    throw UsageError("-n: {} processes together; a job has at most {}", count, most_ranks);
  if (plan.most_processes != 0 && count > plan.most_processes)
    throw UsageError("-n: {} processes together; max-processes allows {}", count,
                     plan.most_processes);
  // One whose number is not given may start others.
  bool const grows = plan.apps.size() == 1 && !plan.apps.front().counted;
  if (plan.reader && index(*plan.reader) >= count && !grows)
    throw UsageError("stdin: there is no rank {}; this job has ranks 0 to {}", number(*plan.reader),
                     count - 1);
}

std::uint32_t parse_count(std::string const& text) {
  std::uint64_t count = 0;
  auto const* end = text.data() + text.size();
  auto const parsed = std::from_chars(text.data(), end, count);
  bool const whole = parsed.ptr == end && !text.empty();
  if (parsed.ec == std::errc::invalid_argument || !whole)
    throw UsageError("-n {}: a number of processes is needed{}", text,
                     names_program(text) ? ", as in -n 4 " + text : "");
  if (parsed.ec != std::errc{} || count > most_ranks)
    throw UsageError("-n {}: a job has at most {} processes", text, most_ranks);
  if (count == 0) throw UsageError("-n 0: a job has at least one process");
  return static_cast<std::uint32_t>(count);
}

control::ToolUse parse_tool(std::string const& text) {
  auto const equals = std::min(text.find('='), text.size());
  return {.name = text.substr(0, equals),
          .argument = equals < text.size() ? text.substr(equals + 1) : std::string{}};
}

namespace {

void add_record_options(CommandLine& line, RawJob& raw) {
  line.add_value({.names = "-o",
                  .help = "The directory to record into; earl-recordings/PROGRAM-N when not given",
                  .type = "DIR"},
                 raw.folder);
  line.add_flag({.names = "--force", .help = "Replace the recording that is there, if any"},
                raw.force);
}

/// Ends the help of a command that runs a job.
std::string footer_for(JobOptions const& options) {
  if (options.places != 0)
    return "The launcher names further programs of the same job; -wdir is taken for --wdir.\n\n"
           "Examples:\n"
           "  mpiexec -n 8 earl exec ./node\n"
           "  mpiexec -n 1 earl exec ./master : -n 7 earl exec ./slave\n"
           "  srun -N 4 -n 64 earl exec ./node\n";
  return fmt::format(
      "Further programs of the same job come behind a colon: ... : -n N PROGRAM [ARGUMENT...]\n"
      "-np and -wdir are taken for --np and --wdir.\n\n"
      "Examples:\n"
      "  {0} -n 8 ./node\n"
      "  {0} -n 1 ./master : -n 7 ./slave\n"
      "  {0} --on fibers -n 1000 ./node\n"
      "  {0} --hosts a:4,b:4 ./node\n",
      options.command);
}

void take_recording(Plan& plan, RawJob const& raw) {
  auto const folder = std::filesystem::absolute(raw.folder);
  plan.tools.push_back({.name = "record", .argument = folder});
  if (raw.force) plan.replaced_folder = folder;
}

}  // namespace

Plan parse_job(JobOptions const& options, Arguments const& arguments, Settings settings) {
  auto const parts = parts_of(arguments);
  RawJob raw;
  CommandLine first(options.command, options.summary);
  first.set_footer(footer_for(options));
  add_job_options(first, raw);
  if (options.places != 0) hide_launchers_options(first);
  if (options.console)
    first.add_flag({.names = "--console",
                    .help = "Let `earl console` join this job",
                    .group = std::string(debugging_options)},
                   raw.console);
  if (options.record) add_record_options(first, raw);
  if (options.own) options.own(first);
  Plan plan;
  plan.apps.push_back(parse_app(first, parts.front(), options.places != 0));
  if (options.check_own) options.check_own();
  add_apps(plan, parts, options.command);
  plan.late_options = late_options(first, plan.apps);
  std::error_code gone;
  static_cast<void>(std::filesystem::current_path(gone));
  if (gone) throw Error("the current directory is gone ({}): cd to another", gone.message());
  bool const unnamed = options.record && raw.folder.empty();
  if (unnamed) raw.folder = next_recording(plan.apps.front().command.front());
  if (options.record) take_recording(plan, raw);
  if (options.places != 0)
    settings.put(*find_setting("on"), options.back_end, options.command, options.command);
  put_command_line(settings, first, raw);
  apply_job(plan, raw, settings);
  if (options.places != 0) leave_to_launcher(plan, first, options);
  plan.console = raw.console;
  if (options.batch) take_batch_hosts(plan, settings, options.command);
  if (plan.console && std::ranges::count(plan.tools, "record", &control::ToolUse::name) != 0)
    throw UsageError("--console: what people do there cannot be recorded; leave out one of both");
  check_sizes(plan);
  if (unnamed) plan.latest = raw.folder;
  return plan;
}

ConfigPlan parse_config(Arguments const& arguments, Settings settings) {
  CommandLine line("earl config", "Show each setting and where it came from.\n");
  RawJob raw;
  ConfigPlan plan;
  add_settings(line, raw);
  line.add_flag({.names = "--json", .help = "Print JSON"}, plan.json);
  line.parse_all(arguments);
  put_command_line(settings, line, raw);
  plan.settings = std::move(settings);
  return plan;
}

}  // namespace earl::exec
