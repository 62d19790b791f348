// SPDX-License-Identifier: BSD-3-Clause
#include "exec/launcher/commands/options.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdlib>
#include <filesystem>

#include "backends/registry.hpp"
#include "exec/launcher/commands/command_line.hpp"
#include "exec/launcher/commands/recordings.hpp"
#include "exec/launcher/hosts/batch.hpp"
#include "exec/launcher/hosts/host_list.hpp"
#include "exec/launcher/hosts/link_choice.hpp"
#include "exec/launcher/machine/processors.hpp"
#include "exec/launcher/nearest.hpp"
#include "exec/launcher/programs/tool_file.hpp"
#include "exec/launcher/settings/environment.hpp"
#include "generic/base/id_table.hpp"
#include "generic/base/number.hpp"

namespace earl::exec {

namespace {

using Words = std::vector<std::string>;

/// The command line's settings for the whole job.
struct RawJob {
  Words values = Words(setting_rows().size());
  Words tools;
  std::string folder;
  bool dry_run = false;
  bool gdb = false;
};

/// The settings for one program.
struct RawApp {
  std::string count = "1";
  std::string folder;
  Words assignments;
  std::string environment = "all";
  std::string processors;
};

/// The parts between words that are a colon alone.
std::vector<Words> parts_of(Words const& words) {
  std::vector<Words> parts(1);
  for (auto const& word : words)
    if (word == ":")
      parts.emplace_back();
    else
      parts.back().push_back(word);
  return parts;
}

/// One line each, for the help text.
template <class Rows>
std::string described(Rows const& rows) {
  std::string text;
  for (auto const* row : rows) text += fmt::format("\n    {:<10} {}", row->name, row->summary);
  return text;
}

void add_setting(CommandLine& line, Setting const& row, std::string& value) {
  OptionRow const option{
      .names = row.short_option.empty() ? row.option()
                                        : fmt::format("{},{}", row.short_option, row.option()),
      .help = std::string(row.help) + (row.key == "on" ? described(back_ends()) : ""),
      .type = std::string(row.type_name)};
  row.type_name.empty() ? line.add_flag(option, value) : line.add_value(option, value);
}

void add_settings(CommandLine& line, RawJob& raw) {
  for (std::size_t i = 0; i < raw.values.size(); ++i)
    add_setting(line, setting_rows()[i], raw.values[i]);
}

void add_job_options(CommandLine& line, RawJob& raw) {
  add_settings(line, raw);
  line.add_values(
      {.names = "--tool",
       .help = "A debugger, or a library: a tool of your own or a wrapper of calls; may be "
               "repeated:" +
               described(tools()),
       .type = "NAME[=ARG]|FILE[:ARG]"},
      raw.tools);
  line.add_flag({.names = "--gdb",
                 .help = "Run all ranks under one gdb (back ends that hold them in one process)"},
                raw.gdb);
  line.add_flag({.names = "--dry-run", .help = "Show what would be started, and start nothing"},
                raw.dry_run);
}

void add_app_options(CommandLine& line, RawApp& raw) {
  auto const group = "Options of one program";
  line.add_value({.names = "-n,--np", .help = "How many processes", .type = "N", .group = group},
                 raw.count);
  line.add_value({.names = "--wdir",
                  .help = "Run it in DIR; PROGRAM is looked up in the current directory",
                  .type = "DIR",
                  .group = group},
                 raw.folder);
  line.add_values({.names = "-x",
                   .help = "Give it this variable, with this value; may be repeated",
                   .type = "NAME[=VALUE]",
                   .group = group},
                  raw.assignments);
  line.add_value({.names = "--env",
                  .help = "What it gets of the environment: all, or none but what -x names",
                  .type = "all|none",
                  .group = group},
                 raw.environment);
  line.add_value({.names = "--cpus",
                  .help = "Run it on these CPUs only, as in 0-3,6",
                  .type = "LIST",
                  .group = group},
                 raw.processors);
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

App settle_app(RawApp const& raw, Words command) {
  App app{.count = parse_count(raw.count), .command = std::move(command), .folder = raw.folder};
  for (auto const& assignment : raw.assignments)
    app.assignments.push_back(parse_assignment(assignment));
  if (raw.environment != "all" && raw.environment != "none")
    throw UsageError("--env {}: all or none is needed", raw.environment);
  app.bare_environment = raw.environment == "none";
  if (!raw.processors.empty()) static_cast<void>(parse_processors(raw.processors));
  app.processors = raw.processors;
  return app;
}

App parse_app(CommandLine& line, Words const& words) {
  RawApp raw;
  line.stop_at_operand();
  add_app_options(line, raw);
  auto command = line.parse(words);
  if (command.empty())
    throw UsageError("no program is named; for example: {} -n 4 ./prog", line.command());
  auto settled = settle_app(raw, std::move(command));
  settled.counted = line.count("-n") != 0;
  return settled;
}

/// Options of the whole job that come after a colon.
void refuse_late_options(Words const& words, std::string const& command) {
  CommandLine line(command, "");
  RawJob raw;
  add_job_options(line, raw);
  auto const known = line.names();
  auto const option = words.empty() ? std::string{} : words.front().substr(0, words[0].find('='));
  if (std::ranges::find(known, option) != known.end())
    throw UsageError("{} concerns the whole job: it belongs before the first program", option);
}

void put_command_line(Settings& settings, CommandLine const& line, RawJob const& raw) {
  for (std::size_t i = 0; i < raw.values.size(); ++i) {
    auto const& row = setting_rows()[i];
    if (line.count(row.option()) != 0)
      settings.put(row, raw.values[i], "command line",
                   fmt::format("{} {}", row.option(), raw.values[i]));
  }
}

/// As the user meant it here: processes may run in other folders.
control::ToolUse parse_tool_of_job(std::string const& text) {
  auto use = parse_tool(text);
  auto const* const tool = find_tool(use.name);
  if (tool && tool->takes_path && !use.argument.empty())
    use.argument = std::filesystem::absolute(use.argument).string();
  return use;
}

/// A debugger by its name, or a file.
void add_tool(Plan& plan, std::string const& text) {
  if (names_file(text))
    plan.tool_files.push_back(parse_tool_file(text));
  else
    plan.tools.push_back(parse_tool_of_job(text));
}

void check_tools(Plan const& plan) {
  Words names;
  for (auto const* row : tools()) names.emplace_back(row->name);
  for (auto const& use : plan.tools)
    if (std::ranges::count(names, use.name) == 0)
      throw UsageError("--tool {}: there is no such debugger; there is: {}{}", use.name,
                       names.empty() ? "none" : fmt::format("{}", fmt::join(names, ", ")),
                       std::filesystem::exists(use.name) ? "; of a file say ./" + use.name
                                                         : guess(use.name, names));
}

/// gdb takes the terminal: no rank reads standard input.
void settle_gdb(Plan& plan) {
  if (!find_back_end(plan.back_end)->shared_process)
    throw UsageError(
        "--gdb: on {} each rank is a process of its own, and gdb is for one; with --on fibers "
        "all are in one",
        plan.back_end);
  plan.gdb = true;
  plan.reader.reset();
}

/// Where the user names none.
void take_machines_hosts(Plan& plan) {
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

void check_machine(Plan const& plan) {
  if (plan.hosts.empty() || links_hosts(plan) || find_back_end(plan.back_end)->spans_hosts) return;
  throw UsageError(
      "--hosts: {} does not reach other hosts; leave out --on {}, and Earl takes what "
      "does",
      plan.back_end, plan.back_end);
}

/// As mpiexec and its like do. One host that is this one needs no launcher.
void take_batch_hosts(Plan& plan, Settings const& settings) {
  auto const said = [&](char const* key) {
    return settings.at(*find_setting(key)).origin != Settings::built_in;
  };
  if (said("hosts") || said("hostfile") || plan.console || !takes_any_hosts(plan)) return;
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

void settle(Plan& plan, RawJob const& raw, Settings const& settings) {
  settings.apply_to(plan);
  plan.kept_settings = kept_settings(settings);
  take_machines_hosts(plan);
  check_machine(plan);
  check_secure(plan);
  if (raw.gdb) settle_gdb(plan);
  for (auto const& tool : raw.tools) add_tool(plan, tool);
  plan.dry_run = raw.dry_run;
  check_tools(plan);
  if (auto const& seed = settings.at(*find_setting("seed"));
      seed.origin == "command line" && !find_back_end(plan.back_end)->shared_process)
    throw UsageError(
        "--seed {}: on {} the system schedules the processes; with --on fibers Earl does, by this "
        "seed",
        seed.text, plan.back_end);
  if (plan.virtual_time && !find_back_end(plan.back_end)->shared_process)
    throw UsageError(
        "--time virtual: on {} each process has the machine's clock; with --on fibers they have "
        "one of their own",
        plan.back_end);
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
  if (plan.reader && index(*plan.reader) >= count)
    throw UsageError("stdin: there is no rank {}; this job has ranks 0 to {}", number(*plan.reader),
                     count - 1);
}

constexpr std::array host_options{"--hosts", "--hostfile", "--launcher", "--listen"};

/// The options that are the user's launcher's to judge are taken, to be refused in words.
void hide_launchers_options(CommandLine& line) {
  for (auto const* name : host_options) line.hide(name);
  line.hide("--on");
}

/// `mpiexec -n 4 earl exec ./prog`
void leave_to_launcher(Plan& plan, CommandLine const& line, std::uint32_t places) {
  if (plan.apps.size() != 1 || plan.apps.front().counted)
    throw UsageError(
        "-n: how many processes there are, and of which programs, is mpiexec's to say: mpiexec -n "
        "4 earl exec ./prog");
  for (auto const* name : host_options)
    if (line.count(name) != 0)
      throw UsageError("{}: mpiexec has chosen the hosts; `earl run --on mpi` takes it", name);
  if (plan.back_end != "mpi")
    throw UsageError("--on {}: below mpiexec the machine is mpi; `earl run --on {}` takes others",
                     plan.back_end, plan.back_end);
  plan.hosts.clear();
  plan.apps.front().count = places;
  plan.apps.front().counted = true;
}

/// The programs after the first one.
void add_apps(Plan& plan, std::vector<Words> const& parts, std::string const& command) {
  for (auto const& words : std::span{parts}.subspan(1)) {
    refuse_late_options(words, command);
    CommandLine next(command, "");
    plan.apps.push_back(parse_app(next, words));
  }
}

}  // namespace

std::uint32_t parse_count(std::string const& text) {
  std::uint64_t count = 0;
  auto const* end = text.data() + text.size();
  auto const parsed = std::from_chars(text.data(), end, count);
  bool const whole = parsed.ptr == end && !text.empty();
  if (parsed.ec == std::errc::invalid_argument || !whole)
    throw UsageError("-n {}: a number of processes is needed", text);
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

Plan parse_job(JobOptions const& options, Words const& words, Settings settings) {
  auto const parts = parts_of(words);
  RawJob raw;
  CommandLine first(options.command, options.summary);
  first.set_footer(
      "Then PROGRAM [ARGUMENT...], and further programs of the same job as : -n N PROGRAM ...\n"
      "-np and -wdir are taken for --np and --wdir.\n");
  add_job_options(first, raw);
  if (options.places != 0) hide_launchers_options(first);
  bool console = false;
  if (options.console)
    first.add_flag({.names = "--console", .help = "Let `earl console` join this job"}, console);
  if (options.record)
    first.add_value(
        {.names = "-o",
         .help = "The directory to record into; earl-recordings/PROGRAM-N when not given",
         .type = "DIR"},
        raw.folder);
  bool force = false;
  if (options.record)
    first.add_flag({.names = "--force", .help = "Replace the recording that is there, if any"},
                   force);
  if (options.own) options.own(first);
  Plan plan;
  plan.apps.push_back(parse_app(first, parts.front()));
  add_apps(plan, parts, options.command);
  bool const unnamed = options.record && raw.folder.empty();
  if (unnamed) raw.folder = next_recording(plan.apps.front().command.front());
  if (options.record)
    plan.tools.push_back({.name = "record", .argument = std::filesystem::absolute(raw.folder)});
  if (force) plan.replaced_folder = std::filesystem::absolute(raw.folder);
  if (options.places != 0)
    settings.put(*find_setting("on"), "mpi", options.command, options.command);
  put_command_line(settings, first, raw);
  settle(plan, raw, settings);
  if (options.places != 0) leave_to_launcher(plan, first, options.places);
  plan.console = console;
  if (options.batch) take_batch_hosts(plan, settings);
  if (console && std::ranges::count(plan.tools, "record", &control::ToolUse::name) != 0)
    throw UsageError("--console: what people do there cannot be recorded; leave out one of both");
  check_sizes(plan);
  if (unnamed && !plan.dry_run) note_latest(raw.folder);
  return plan;
}

namespace {

std::vector<HostWish> recorded_hosts(trace::Recorded const& recorded) {
  if (recorded.hosts.empty()) return {};
  return parse_hosts(fmt::format("{}", fmt::join(recorded.hosts, ",")));
}

}  // namespace

namespace {

/// The options of a replay only.
struct RawReplay {
  bool trust = false;
  bool own_input = false;
  std::string contents = "check";
  std::string path;
  std::string until;
  Words assignments;
};

void add_replay_options(CommandLine& line, RawReplay& raw) {
  line.add_flag({.names = "--trust",
                 .help = "Run what the recording names, also another user's or without build-ids"},
                raw.trust);
  line.add_flag({.names = "--own-input",
                 .help = "Programs read this command's standard input, not the recorded one"},
                raw.own_input);
  line.add_value({.names = "--contents",
                  .help = "ignore: messages may hold other bytes than recorded, as those of "
                          "programs do that send memory which they never wrote",
                  .type = "check|ignore"},
                 raw.contents);
  line.add_value({.names = "--path",
                  .help = "Receives get other messages: RANK:RECEIVE=SOURCE#MESSAGE, more with "
                          "commas between; what comes after them is free, all else as recorded",
                  .type = "PATH"},
                 raw.path);
  line.add_value({.names = "--until",
                  .help = "Run up to this call of this process and say where that is; events are "
                          "those of `earl show --messages`. With --gdb: under gdb there",
                  .type = "RANK@EVENT"},
                 raw.until);
  line.add_values({.names = "-x",
                   .help = "Give the programs this variable beside the recorded ones; may be "
                           "repeated",
                   .type = "NAME[=VALUE]"},
                  raw.assignments);
}

/// Before the command line's. An order in which processes run, and a clock, are the recorded ones
/// on any back end.
void put_recorded_settings(Settings& settings, trace::Recorded const& recorded,
                           std::string const& back_end) {
  for (auto const& kept : recorded.settings) {
    auto const key = kept.substr(0, kept.find('='));
    auto const* row = find_setting(key);
    if (!row || key.size() == kept.size())
      throw Error("the recording keeps the setting {}, which this Earl does not know", kept);
    bool const of_shared_processes = key == "seed" || key == "time";
    if (of_shared_processes && !find_back_end(back_end)->shared_process) continue;
    settings.put(*row, kept.substr(key.size() + 1), "the recording", "the recording's " + kept);
  }
}

std::vector<std::string> replayed_environment(trace::Recorded const& recorded,
                                              Words const& assignments) {
  auto environment = recorded_environment(recorded.environment);
  for (auto const& assignment : assignments) set(environment, parse_assignment(assignment));
  return environment;
}

/// The replay first: it is asked before a debugger that ends a quiescent job.
void add_replayed_tools(Plan& plan, trace::Recorded const& recorded, std::string const& recording,
                        std::string const& contents) {
  if (contents != "check" && contents != "ignore")
    throw UsageError("--contents {}: check or ignore is needed", contents);
  auto const how = contents == "check" ? "" : "contents=ignore,";
  plan.tools = {{.name = "replay", .argument = how + recording}};
  for (auto const& text : recorded.tools) {
    auto const name = parse_tool(text).name;
    bool const of_that_run = name == "record" || name == "replay" || name == "events";
    if (!of_that_run) add_tool(plan, text);
  }
}

}  // namespace

namespace {

/// gdb attaches itself to a process of its own; one that holds all ranks runs under it.
void settle_until(Plan& plan, std::string const& until, Settings const& settings, RawJob& raw) {
  auto& argument = plan.tools.front().argument;
  argument = fmt::format("{}={}|{}", raw.gdb ? "gdb" : "until", until, argument);
  auto const* const back_end = find_back_end(settings.at(*find_setting("on")).text);
  raw.gdb = raw.gdb && back_end && back_end->shared_process;
}

}  // namespace

ReplayPlan parse_replay(Words const& words, Settings settings) {
  CommandLine line("earl replay", "Run a recorded job again, the same run.\n");
  RawJob raw;
  RawReplay own;
  add_job_options(line, raw);
  add_replay_options(line, own);
  raw.folder = parse_recording(line, "earl replay", words);
  auto const recording = std::filesystem::absolute(raw.folder).string();
  auto const recorded = trace::read_command(recording);
  if (!recorded.objection.empty() && !own.trust)
    throw Error(
        "{} is not replayed: {}, and a recording chooses which programs run; see its meta.json, "
        "then `earl replay --trust` runs them",
        raw.folder, recorded.objection);
  settings.put(*find_setting("on"), recorded.back_end, "the recording",
               "the recording's machine " + recorded.back_end);
  auto chosen = settings;
  put_command_line(chosen, line, raw);
  put_recorded_settings(settings, recorded, chosen.at(*find_setting("on")).text);
  put_command_line(settings, line, raw);
  // A job of several programs carries its own -n.
  auto command = recorded.command;
  if (recorded.initial > 1 && (command.empty() || command.front() != "-n"))
    command.insert(command.begin(), {"-n", std::to_string(recorded.initial)});
  auto plan = parse_job({.command = "earl replay", .summary = {}}, command);
  for (std::size_t i = 0; i < plan.apps.size() && i < recorded.programs.size(); ++i)
    plan.apps[i].found = recorded.programs[i];
  add_replayed_tools(plan, recorded, recording, own.contents);
  if (!own.until.empty()) settle_until(plan, own.until, chosen, raw);
  auto const reader = plan.reader;
  settle(plan, raw, settings);
  // gdb takes the terminal, which the recorded input does not come from.
  if (plan.gdb && !own.own_input) {
    plan.reader = reader;
    auto const& value = settings.at(*find_setting("stdin"));
    if (value.origin != Settings::built_in) find_setting("stdin")->apply(plan, value.text);
  }
  check_sizes(plan);
  plan.recorded_hosts = recorded_hosts(recorded);
  plan.environment = replayed_environment(recorded, own.assignments);
  plan.own_input = own.own_input;
  return {
      .plan = std::move(plan), .folder = recorded.folder, .recording = recording, .path = own.path};
}

Settings parse_config(Words const& words, Settings settings) {
  CommandLine line("earl config", "Show each setting and where it came from.\n");
  RawJob raw;
  add_settings(line, raw);
  line.parse_all(words);
  put_command_line(settings, line, raw);
  return settings;
}

InfoPlan parse_info(Words const& words) {
  CommandLine line("earl info",
                   "Show the API that a program uses and the back ends that can run it, without "
                   "running it.\nOf objects, static libraries and sources the API, of a directory "
                   "all files that have one.\nExit code 88: no back end can, or no file has an "
                   "API.\n");
  InfoPlan plan;
  line.add_flag({.names = "--json", .help = "The same for programs, as JSON"}, plan.json);
  line.add_operand({.names = "PROGRAM",
                    .help = "A file, a directory, or a name to be found in PATH",
                    .required = true},
                   plan.program);
  line.parse_all(words);
  return plan;
}

void parse_doctor(Words const& words) {
  CommandLine line("earl doctor",
                   "Check what Earl needs and this computer lacks. Exit code 1: something does not "
                   "work.\n");
  line.parse_all(words);
}

}  // namespace earl::exec
