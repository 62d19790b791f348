#include "exec/commands/options.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdlib>
#include <filesystem>

#include "backends/registry.hpp"
#include "exec/commands/command_line.hpp"
#include "exec/hosts/batch.hpp"
#include "exec/hosts/host_list.hpp"
#include "exec/machine/processors.hpp"
#include "exec/nearest.hpp"
#include "generic/id_table.hpp"

namespace earl::exec {

namespace {

using Words = std::vector<std::string>;

/// The command line's part of what concerns the whole job.
struct RawJob {
  Words values = Words(setting_rows().size());
  Words tools;
  std::string folder;
  bool dry_run = false;
  bool gdb = false;
};

/// What concerns one program.
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

void add_setting(CLI::App& app, Setting const& row, std::string& value) {
  auto const names = row.short_option.empty()
                         ? row.option()
                         : fmt::format("{},{}", row.short_option, row.option());
  auto const help = std::string(row.help) + (row.key == "on" ? described(back_ends()) : "");
  if (row.type_name.empty())
    app.add_flag(names, value, help);
  else
    app.add_option(names, value, help)->type_name(std::string(row.type_name))->take_last();
}

void add_settings(CLI::App& app, RawJob& raw) {
  for (std::size_t i = 0; i < raw.values.size(); ++i)
    add_setting(app, setting_rows()[i], raw.values[i]);
}

void add_job_options(CLI::App& app, RawJob& raw) {
  add_settings(app, raw);
  app.add_option("--tool", raw.tools, "A debugger, may come again:" + described(tools()))
      ->type_name("NAME[=ARG]")
      ->allow_extra_args(false);
  app.add_flag("--gdb", raw.gdb,
               "Run all ranks under one gdb (machines that hold them in a process)");
  app.add_flag("--dry-run", raw.dry_run, "Show what would be started, and start nothing");
}

void add_app_options(CLI::App& app, RawApp& raw) {
  auto const group = "Options of one program";
  app.add_option("-n,--np", raw.count, "How many processes")->type_name("N")->group(group);
  app.add_option("--wdir", raw.folder, "Run it in DIR; its name is looked up here")
      ->type_name("DIR")
      ->group(group);
  app.add_option("-x", raw.assignments, "Give it this variable, with this value; may come again")
      ->type_name("NAME[=VALUE]")
      ->allow_extra_args(false)
      ->group(group);
  app.add_option("--env", raw.environment,
                 "What it gets of the environment: all, or none but what -x names")
      ->type_name("all|none")
      ->group(group);
  app.add_option("--cpus", raw.processors, "Run it on these processors only, as in 0-3,6")
      ->type_name("LIST")
      ->group(group);
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

App parse_app(CLI::App& app, Words const& words) {
  RawApp raw;
  app.prefix_command();
  add_app_options(app, raw);
  auto command = parse(app, words);
  if (command.empty())
    throw UsageError("no program is named; for example: {} -n 4 ./prog", app.get_name());
  auto settled = settle_app(raw, std::move(command));
  settled.counted = app.count("-n") != 0;
  return settled;
}

/// Options of the whole job that come after a colon.
void refuse_late_options(Words const& words, std::string const& command) {
  CLI::App app("", command);
  RawJob raw;
  add_job_options(app, raw);
  app.remove_option(app.get_help_ptr());
  auto const known = options_of(app);
  auto const option = words.empty() ? std::string{} : words.front().substr(0, words[0].find('='));
  if (std::ranges::find(known, option) != known.end())
    throw UsageError("{} concerns the whole job: it belongs before the first program", option);
}

void put_command_line(Settings& settings, CLI::App const& app, RawJob const& raw) {
  for (std::size_t i = 0; i < raw.values.size(); ++i) {
    auto const& row = setting_rows()[i];
    if (app.count(row.option()) != 0)
      settings.put(row, raw.values[i], "command line",
                   fmt::format("{} {}", row.option(), raw.values[i]));
  }
}

void check_tools(Plan const& plan) {
  Words names;
  for (auto const* row : tools()) names.emplace_back(row->name);
  for (auto const& use : plan.tools)
    if (!find_tool(use.name))
      throw UsageError("--tool {}: there is no such debugger; there is: {}{}", use.name,
                       names.empty() ? "none" : fmt::format("{}", fmt::join(names, ", ")),
                       guess(use.name, names));
}

/// gdb takes the terminal: nobody else reads standard input.
void settle_gdb(Plan& plan) {
  if (!find_back_end(plan.back_end)->house)
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

/// Of hosts that the machine need not know before. Within one it is shared memory, or what goes
/// everywhere.
bool links_hosts(Plan const& plan) {
  return plan.back_end == "shm" || joins_hosts(*find_back_end(plan.back_end));
}

/// Whoever names them.
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

/// As mpiexec and its like do. One host that is this one needs nobody's help.
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

void settle(Plan& plan, RawJob const& raw, Settings const& settings) {
  settings.apply_to(plan);
  take_machines_hosts(plan);
  check_machine(plan);
  if (raw.gdb) settle_gdb(plan);
  for (auto const& tool : raw.tools) plan.tools.push_back(parse_tool(tool));
  plan.dry_run = raw.dry_run;
  check_tools(plan);
  if (plan.virtual_time && !find_back_end(plan.back_end)->house)
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

constexpr std::array host_options{"--hosts", "--hostfile", "--launcher"};

/// The options that are the user's launcher's to judge are taken, to be refused in words.
void hide_launchers_options(CLI::App& app) {
  for (auto const* name : host_options) app.get_option(name)->group("");
  app.get_option("--on")->group("");
}

/// `mpiexec -n 4 earl exec ./prog`
void leave_to_launcher(Plan& plan, CLI::App const& app, std::uint32_t places) {
  if (plan.apps.size() != 1 || plan.apps.front().counted)
    throw UsageError(
        "-n: how many processes there are, and of which programs, is mpiexec's to say: mpiexec -n "
        "4 earl exec ./prog");
  for (auto const* name : host_options)
    if (app.count(name) != 0)
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
    CLI::App next("", command);
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
  CLI::App first(options.summary, options.command);
  first.footer(
      "Then PROGRAM [ARGUMENT...], and further programs of the same job as : -n N PROGRAM ...\n"
      "-np and -wdir are taken for --np and --wdir.\n");
  add_job_options(first, raw);
  if (options.places != 0) hide_launchers_options(first);
  bool console = false;
  if (options.console) first.add_flag("--console", console, "Let `earl console` join this job");
  if (options.record)
    first.add_option("-o", raw.folder, "The folder to record into")->type_name("DIR")->required();
  Plan plan;
  plan.apps.push_back(parse_app(first, parts.front()));
  add_apps(plan, parts, options.command);
  if (options.record)
    plan.tools.push_back({.name = "record", .argument = std::filesystem::absolute(raw.folder)});
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
  return plan;
}

namespace {

std::vector<HostWish> recorded_hosts(trace::Recorded const& recorded) {
  if (recorded.hosts.empty()) return {};
  return parse_hosts(fmt::format("{}", fmt::join(recorded.hosts, ",")));
}

}  // namespace

ReplayPlan parse_replay(Words const& words, Settings settings) {
  CLI::App app("Run a recorded job again, the same run.\n", "earl replay");
  RawJob raw;
  add_job_options(app, raw);
  app.add_option("DIR", raw.folder, "The recording")->required();
  parse_all(app, words);
  auto const recording = std::filesystem::absolute(raw.folder).string();
  auto const recorded = trace::read_command(recording);
  settings.put(*find_setting("on"), recorded.back_end, "the recording",
               "the recording's machine " + recorded.back_end);
  put_command_line(settings, app, raw);
  // A job of several programs carries its own -n.
  auto command = recorded.command;
  if (recorded.initial > 1 && (command.empty() || command.front() != "-n"))
    command.insert(command.begin(), {"-n", std::to_string(recorded.initial)});
  auto plan = parse_job({.command = "earl replay", .summary = {}}, command);
  plan.tools.push_back({.name = "replay", .argument = recording});
  settle(plan, raw, settings);
  check_sizes(plan);
  plan.recorded_hosts = recorded_hosts(recorded);
  return {.plan = std::move(plan), .folder = recorded.folder};
}

Settings parse_config(Words const& words, Settings settings) {
  CLI::App app("Show each setting and where it came from.\n", "earl config");
  RawJob raw;
  add_settings(app, raw);
  parse_all(app, words);
  put_command_line(settings, app, raw);
  return settings;
}

ShowPlan parse_show(Words const& words) {
  CLI::App app("Say what a recording holds.\n", "earl show");
  ShowPlan plan;
  app.add_flag("--outcomes", plan.options.outcomes, "Also every recorded outcome, one line each");
  app.add_option("--rank", plan.options.rank, "Only this one")->type_name("R");
  app.add_option("DIR", plan.recording, "The recording")->required();
  parse_all(app, words);
  return plan;
}

InfoPlan parse_info(Words const& words) {
  CLI::App app(
      "Say what Earl makes of a program, without running it. Exit code 88: nothing runs it.\n",
      "earl info");
  InfoPlan plan;
  app.add_flag("--json", plan.json, "The same for programs, as JSON");
  app.add_option("PROGRAM", plan.program, "A file, or a name to be found in PATH")->required();
  parse_all(app, words);
  return plan;
}

void parse_doctor(Words const& words) {
  CLI::App app(
      "Look for what Earl needs and this machine lacks. Exit code 1: something does not work.\n",
      "earl doctor");
  parse_all(app, words);
}

}  // namespace earl::exec
