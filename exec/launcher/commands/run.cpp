// SPDX-License-Identifier: BSD-3-Clause
#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>

#include "backends/registry.hpp"
#include "debug/analyse/messages.hpp"
#include "debug/analyse/steer.hpp"
#include "debug/trace/show.hpp"
#include "exec/launcher/commands/commands.hpp"
#include "exec/launcher/commands/events_of.hpp"
#include "exec/launcher/commands/hints.hpp"
#include "exec/launcher/commands/json_output.hpp"
#include "exec/launcher/commands/options.hpp"
#include "exec/launcher/commands/recordings.hpp"
#include "exec/launcher/commands/run.hpp"
#include "exec/launcher/front_ends.hpp"
#include "exec/launcher/hosts/host_list.hpp"
#include "exec/launcher/job/job.hpp"
#include "exec/launcher/output/rank_files.hpp"
#include "exec/launcher/programs/report.hpp"
#include "exec/launcher/programs/tool_file.hpp"
#include "exec/launcher/resources/cpu_binding.hpp"
#include "exec/launcher/resources/processors.hpp"
#include "exec/launcher/settings/settings_file.hpp"
#include "exec/launcher/settings/size.hpp"

namespace earl::exec {

namespace {

/// The host decides about directories and CPUs; checks of the arguments alone have been made.
void check_surroundings(App const& app) {
  std::error_code failed;
  if (!app.folder.empty() && !std::filesystem::is_directory(app.folder, failed))
    throw UsageError("--wdir {}: there is no such directory", app.folder);
  if (app.processors.empty()) return;
  auto const wanted = parse_processors(app.processors);
  auto const own = own_processors();
  cpu_set_t both;
  CPU_AND(&both, &wanted, &own);
  if (CPU_COUNT(&both) == 0)
    throw UsageError("--cpus {}: of this host's processors earl may use {}", app.processors,
                     to_text(own));
}

/// Where the program is known, not only a wrapper around it.
void check_back_end(Backend const& back_end, std::string const& path, Layout const& layout) {
  if (!back_end.refuses) return;
  auto const facts = facts_of_file(path);
  if (facts.kind != FileKind::elf || !front_end_of(facts, path, layout.libraries)) return;
  auto const objection = objection_of(back_end, program_facts(path, layout));
  if (!objection.empty())
    throw Refusal(exit_refused, SpawnFault::foreign,
                  fmt::format("{} cannot run on {}: {}; `earl info {}` names back ends that can",
                              path, back_end.name, objection, path));
}

std::vector<Program> find_programs(Plan const& plan, Layout const& layout) {
  std::vector<Program> programs;
  for (auto const& app : plan.apps) {
    check_surroundings(app);
    bool const known = !app.found.empty() && std::filesystem::exists(app.found);
    programs.push_back(find_program({.name = known ? app.found : app.command.front(),
                                     .arguments = {app.command.begin() + 1, app.command.end()},
                                     .libraries = layout.libraries}));
    check_back_end(*find_back_end(plan.back_end), programs.back().path, layout);
    // The process looks from another folder than the user did.
    if (!app.folder.empty()) programs.back().path = std::filesystem::absolute(programs.back().path);
  }
  return programs;
}

void show_surroundings(App const& app) {
  if (!app.folder.empty()) fmt::print("  in {}\n", app.folder);
  if (app.bare_environment) fmt::print("  without earl's own environment\n");
  for (auto const& assignment : app.assignments) fmt::print("  with {}\n", assignment);
  if (!app.processors.empty()) fmt::print("  on processors {}\n", app.processors);
}

/// The processors of each rank that --bind-to binds, where its process starts here.
void show_binding(Plan const& plan) {
  if (!plan.hosts.empty() || find_back_end(plan.back_end)->shared_process) return;
  auto binding = binding_of_host(plan.binding);
  std::uint32_t rank = 0;
  for (auto const& app : plan.apps)
    for (std::uint32_t n = 0; n < app.count; ++n, ++rank)
      if (auto const bound = binding.next(); bound && app.processors.empty())
        fmt::print("  rank {} on processors {}\n", rank, to_text(*bound));
}

std::string ranks(std::uint32_t first, std::uint32_t count) {
  return count == 1 ? fmt::format("rank {}", first)
                    : fmt::format("ranks {}-{}", first, first + count - 1);
}

void show_plan(Plan const& plan, std::vector<Program> const& programs, Layout const& layout) {
  std::uint32_t rank = 0;
  for (std::size_t i = 0; i < plan.apps.size(); ++i) {
    auto const& app = plan.apps[i];
    std::string line = programs[i].path;
    for (std::size_t w = 1; w < app.command.size(); ++w) line += " " + app.command[w];
    fmt::print("{} on {} ({}): {}\n", ranks(rank, app.count), plan.back_end,
               programs[i].front_end.empty() ? "a wrapper or script" : programs[i].front_end, line);
    show_surroundings(app);
    rank += app.count;
  }
  show_binding(plan);
  if (!plan.batch_system.empty()) fmt::print("hosts of this job of {}:\n", plan.batch_system);
  for (auto const& host : plan.hosts)
    fmt::print("host {} takes {}, started by `{}`\n", host.name, host.slots, plan.launcher);
  fmt::print("standard input: {}\n",
             plan.reader ? fmt::format("rank {}", number(*plan.reader)) : "none");
  if (plan.timeout) fmt::print("ended after {} seconds\n", plan.timeout->count());
  if (!plan.output_folder.empty()) fmt::print("output into {}\n", plan.output_folder);
  for (auto const& use : plan.tools) fmt::print("debugger {} {}\n", use.name, use.argument);
  for (auto const& wrapper : plan.wrappers) fmt::print("wrapper {}\n", wrapper);
  for (auto const& folder : layout.libraries) fmt::print("library directory {}\n", folder);
}

/// A descriptor 0, 1 or 2 that is closed would be given to the next file opened.
void open_standard_descriptors() {
  for (;;) {
    Descriptor file(::open("/dev/null", O_RDWR | O_CLOEXEC));
    if (!file || file.get() > STDERR_FILENO) return;
    ::fcntl(file.release(), F_SETFD, 0);
  }
}

/// Without -n: as many as the hosts take, unless the first starts the others.
void fill_hosts(Plan& plan, std::vector<Program> const& programs) {
  auto const& program = programs.front();
  if (!fills_hosts(plan) || program.side == Side::host) return;
  auto const* front_end = find_front_end(program.front_end);
  if (front_end && front_end->startup == Startup::alone) return;
  auto& first = plan.apps.front();
  first.count = slots_of(plan.hosts);
  first.counted = true;
}

}  // namespace

int run_plan(Plan plan) {
  open_standard_descriptors();
  auto const layout = find_layout();
  apply_tool_files(plan, layout);
  auto programs = find_programs(plan, layout);
  fill_hosts(plan, programs);
  take_shells_cube(plan, programs);
  if (plan.dry_run) {
    show_plan(plan, programs, layout);
    return 0;
  }
  if (plan.verbose && !plan.batch_system.empty())
    fmt::print(stderr, "earl: the hosts are those of this job of {}\n", plan.batch_system);
  if (!plan.output_folder.empty()) make_output_folder(plan.output_folder);
  if (!plan.replaced_folder.empty()) trace::remove_recording(plan.replaced_folder);
  if (!plan.latest.empty()) check_place_for(plan.latest);
  Job job(plan, std::move(programs), layout);
  if (!plan.latest.empty()) note_latest(plan.latest);  // it is there now, with its meta.json
  if (plan.console) job.open_console();
  return job.run();
}

Settings configured() {
  auto configuration = read_configuration(find_layout());
  for (auto const& file : configuration.files)
    if (!file.refusal.empty()) fmt::print(stderr, "earl: {}\n", file.refusal);
  for (auto const& sentence : misspelt_variables()) fmt::print(stderr, "earl: {}\n", sentence);
  return std::move(configuration.settings);
}

int run_command(std::vector<std::string> const& arguments) {
  auto const plan = parse_job({.command = "earl run",
                               .summary = "Run programs as the processes of one job.\n",
                               .console = true,
                               .batch = true},
                              arguments, configured());
  auto const exit_code = run_plan(plan);
  print_hints("earl run", arguments, plan, exit_code);
  return exit_code;
}

namespace {

/// The recorder's argument before the folder. Throws UsageError.
std::string keep_argument(std::string const& size, bool minimal, Plan const& plan) {
  auto const bytes = bytes_from(size);
  if (!bytes || *bytes < trace::least_keep)
    throw UsageError(
        "--keep {}: a number of bytes from {}K is needed, or one with K, M or G behind it", size,
        trace::least_keep >> 10);
  if (minimal)
    throw UsageError("--keep {}: cannot be combined with --minimal; leave one of them out", size);
  if (!plan.hosts.empty())
    throw UsageError(
        "--keep {}: the record of a job on several hosts comes home while it is written, and "
        "cannot be kept in part",
        size);
  return fmt::format("keep={},", *bytes);
}

}  // namespace

int record_command(std::vector<std::string> const& arguments) {
  bool minimal = false;
  bool times = false;
  std::string keep;
  auto plan = parse_job({.command = "earl record",
                         .summary = "Run a job and record it, so that it can be replayed.\n",
                         .record = true,
                         .own =
                             [&](CommandLine& line) {
                               line.add_flag({.names = "--minimal",
                                              .help = "Keep only the receives that a replay must "
                                                      "force; `earl show` says how many"},
                                             minimal);
                               line.add_value({.names = "--keep",
                                               .help = "Keep only the latest SIZE bytes of each "
                                                       "process's record, as in 16M",
                                               .type = "SIZE"},
                                              keep);
                               line.add_flag({.names = "--times",
                                              .help = "Also keep when each call began and how "
                                                      "long it waited, for `earl profile` and "
                                                      "`earl export`"},
                                             times);
                             },
                         .batch = true},
                        arguments, configured());
  auto& argument = std::ranges::find(plan.tools, "record", &control::ToolUse::name)->argument;
  auto const folder = argument;
  if (!keep.empty()) argument.insert(0, keep_argument(keep, minimal, plan));
  if (minimal) argument.insert(0, "minimal,");
  if (times) plan.tools.push_back({.name = "events", .argument = folder});
  auto const exit_code = run_plan(plan);
  print_hints("earl record", arguments, plan, exit_code);
  return exit_code;
}

int replay_command(std::vector<std::string> const& arguments) {
  auto replay = parse_replay(arguments, configured());
  if (replay.alone) return replay_alone(replay);
  if (!replay.path.empty()) {
    whole_events_of(
        {.folder = replay.recording, .trust = true});  // or it would not have been parsed
    auto& argument = replay.plan.tools.front().argument;
    argument = fmt::format("path={}|{}", analyse::steer(replay.recording, replay.path), argument);
  }
  if (!replay.folder.empty() && ::chdir(replay.folder.c_str()) != 0)
    throw Error("the recorded run's directory {}: {}", replay.folder, system_message(errno));
  return run_plan(replay.plan);
}

int show_command(std::vector<std::string> const& arguments) {
  auto const plan = parse_show(arguments);
  if (!plan.by_message && plan.messages.json) {
    auto const summary = trace::as_json(plan.recording.folder, plan.options);
    print_json(summary);
    return summary.at("complete") ? 0 : 1;
  }
  if (!plan.by_message) return trace::show(plan.recording.folder, plan.options);
  auto const run = events_of(plan.recording);
  analyse::print_messages(run.folder, plan.messages);
  return run.exit_code;
}

}  // namespace earl::exec
