// SPDX-License-Identifier: BSD-3-Clause
#include "exec/launcher/settings/settings.hpp"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cstdint>
#include <cstdlib>
#include <filesystem>

#include "backends/registry.hpp"
#include "exec/launcher/hosts/host_list.hpp"
#include "exec/launcher/hosts/launchers.hpp"
#include "exec/launcher/hosts/listening.hpp"
#include "exec/launcher/left_out.hpp"
#include "exec/launcher/nearest.hpp"
#include "exec/launcher/settings/duration.hpp"
#include "exec/launcher/settings/size.hpp"
#include "generic/base/id_table.hpp"
#include "generic/base/number.hpp"

namespace earl::exec {

namespace {

bool yes_or_no(std::string const& text) {
  for (auto const* yes : {"yes", "true", "on", "1"})
    if (text == yes) return true;
  for (auto const* no : {"no", "false", "off", "0"})
    if (text == no) return false;
  throw UsageError("yes or no is needed");
}

std::uint32_t whole_number(std::string const& text, std::uint32_t most, char const* what) {
  auto const value = number_from<std::uint32_t>(text);
  if (!value || *value > most) throw UsageError("{}", what);
  return *value;
}

/// Empty: this build has it, or there is no such back end.
std::string left_out_back_end(std::string_view name) {
  auto const left_out = left_out_back_ends();
  if (std::ranges::find(left_out, name) == left_out.end()) return {};
  std::vector<std::string_view> names;
  for (auto const* row : back_ends()) names.push_back(row->name);
  return left_out_text(fmt::format("the back end {}", name), "-Dbackends", names, name);
}

/// `net`: what the user's settings ask for between hosts, else what every host has, else what there
/// is. Throws Error.
std::string_view network_back_end() {
  using Grade = Connectivity::Grade;
  if (auto const sentence = missing_network(); !sentence.empty()) throw UsageError("{}", sentence);
  std::string_view found;
  for (auto const* row : back_ends()) {
    auto const grade = row->connectivity ? row->connectivity().grade : Grade::none;
    if (grade == Grade::requested) return row->name;
    if (grade == Grade::everywhere || (grade != Grade::none && found.empty())) found = row->name;
  }
  return found;
}

/// The back end that the user means by that name. Throws Error.
std::string_view meaning_of(std::string_view name) {
  if (name == network_option) return network_back_end();
  auto const* const row = find_back_end(name);
  auto const other = row && row->stands_for ? row->stands_for() : std::string_view{};
  return other.empty() ? name : other;
}

void apply_on(Plan& plan, std::string const& text) {
  auto const name = std::string(meaning_of(text));
  if (auto const sentence = left_out_back_end(name); !sentence.empty())
    throw UsageError("{}", sentence);
  std::vector<std::string> names;
  for (auto const* row : back_ends()) names.emplace_back(row->name);
  if (missing_network().empty()) names.emplace_back(network_option);
  if (!find_back_end(name))
    throw UsageError("there is no such back end here; there is: {}{}", fmt::join(names, ", "),
                     guess(name, names));
  plan.back_end = name;
}

void apply_hosts(Plan& plan, std::string const& text) {
  plan.hosts.clear();
  if (text != "none") plan.hosts = parse_hosts(text);
}

void apply_hostfile(Plan& plan, std::string const& path) {
  plan.hosts.clear();
  if (path != "none") plan.hosts = read_host_file(path);
}

void apply_launcher(Plan& plan, std::string const& text) {
  static_cast<void>(launch_command(text, "host", {}));
  plan.launcher = full_launcher(text);
}

void apply_listen(Plan& plan, std::string const& text) {
  check_listening(text);
  plan.listen = text;
}

void apply_secure(Plan& plan, std::string const& text) { plan.secure = yes_or_no(text); }

void apply_timeout(Plan& plan, std::string const& text) {
  plan.timeout.reset();
  if (text == "none") return;
  auto const seconds = seconds_from(text);
  if (!seconds) throw UsageError("{}; or none", duration_wanted);
  plan.timeout = std::chrono::duration<double>(*seconds);
}

void apply_stdin(Plan& plan, std::string const& text) {
  constexpr auto wanted = "the rank that reads standard input is needed, or none";
  plan.reader.reset();
  if (text != "none")
    plan.reader = Rank{static_cast<std::int32_t>(whole_number(text, most_ranks - 1, wanted))};
}

void apply_tag_output(Plan& plan, std::string const& text) { plan.tag_output = yes_or_no(text); }

void apply_output_dir(Plan& plan, std::string const& text) {
  plan.output_folder = text == "none" ? "" : std::filesystem::absolute(text).string();
}

void apply_max_processes(Plan& plan, std::string const& text) {
  constexpr auto wanted = "a number of processes from 1 to 65536 is needed";
  plan.most_processes = whole_number(text, most_ranks, wanted);
  if (plan.most_processes == 0) throw UsageError("{}", wanted);
}

void apply_stack(Plan& plan, std::string const& text) {
  constexpr std::uint32_t least = 16;
  constexpr std::uint32_t most = 4U << 20;
  constexpr auto wanted = "a number of KiB from 16 to 4194304 is needed";
  plan.stack = whole_number(text, most, wanted);
  if (plan.stack < least) throw UsageError("{}", wanted);
}

void apply_seed(Plan& plan, std::string const& text) {
  plan.seed = whole_number(text, UINT32_MAX, "a whole number from 0 to 4294967295 is needed");
}

void apply_time(Plan& plan, std::string const& text) {
  if (text != "real" && text != "virtual")
    throw UsageError("real or virtual is needed{}", guess(text, {"real", "virtual"}));
  plan.virtual_time = text == "virtual";
}

/// A number, or one with K, M or G behind it.
void apply_message_memory(Plan& plan, std::string const& text) {
  constexpr auto wanted =
      "a number of bytes from 1M to 4095G is needed (K, M and G count in 1024s), or none";
  constexpr std::uint64_t least = 1U << 20;
  constexpr std::uint64_t most = std::uint64_t{4095} << 30;
  plan.message_memory = 0;
  if (text == "none") return;
  auto const value = bytes_from(text);
  if (!value || *value > most || *value < least) throw UsageError("{}", wanted);
  plan.message_memory = *value;
}

void apply_deadlock(Plan& plan, std::string const& text) {
  if (text == "end")
    plan.on_deadlock = OnDeadlock::end;
  else if (text == "report" || text == "say")  // the value's name before
    plan.on_deadlock = OnDeadlock::report;
  else if (text == "off")
    plan.on_deadlock = OnDeadlock::off;
  else
    throw UsageError("end, report or off is needed{}", guess(text, {"end", "report", "off"}));
}

BindingUnit unit_named(std::string const& text, bool or_none) {
  if (text == "core") return BindingUnit::core;
  if (text == "numa") return BindingUnit::numa;
  if (or_none && text == "none") return BindingUnit::none;
  if (or_none)
    throw UsageError("core, numa or none is needed{}", guess(text, {"core", "numa", "none"}));
  throw UsageError("core or numa is needed{}", guess(text, {"core", "numa"}));
}

void apply_bind_to(Plan& plan, std::string const& text) {
  plan.binding.unit = unit_named(text, true);
}

void apply_map_by(Plan& plan, std::string const& text) {
  plan.binding.order = unit_named(text, false);
}

void apply_send(Plan& plan, std::string const& text) {
  if (text == "synchronous")
    plan.tools.push_back({.name = "synchronous", .argument = {}});
  else if (text != "buffered")
    throw UsageError("buffered or synchronous is needed{}",
                     guess(text, {"buffered", "synchronous"}));
}

void apply_verbose(Plan& plan, std::string const& text) { plan.verbose = yes_or_no(text); }

constexpr std::string_view hosts_group = "Back end and hosts";
constexpr std::string_view output_group = "Input, output and time";
constexpr std::string_view limits_group = "CPUs and limits";
constexpr std::string_view fibers_group = "Fibers";

constexpr std::array rows{
    Setting{.key = "on",
            .short_option = {},
            .type_name = "NAME",
            .usual = "shm",
            .group = hosts_group,
            .help = "Back end",
            .apply = apply_on},
    Setting{
        .key = "hostfile",
        .short_option = "-f",
        .type_name = "FILE",
        .usual = "none",
        .group = hosts_group,
        .help = "Spread the processes over the hosts in FILE: a line is HOST[:N] or HOST slots=N",
        .apply = apply_hostfile},
    Setting{
        .key = "hosts",
        .short_option = "-H,--host",
        .type_name = "LIST",
        .usual = "none",
        .group = hosts_group,
        .help = "Spread the processes over the hosts in LIST, as in a:2,b:2; wins over --hostfile",
        .apply = apply_hosts},
    Setting{
        .key = "launcher",
        .short_option = {},
        .type_name = "COMMAND",
        .usual = "ssh %h",
        .group = hosts_group,
        .help =
            "Remote launcher: ssh, mpiexec, mpirun, srun, or a command line with %h for the host",
        .apply = apply_launcher},
    Setting{.key = "listen",
            .short_option = {},
            .type_name = "ADDRESS",
            .usual = "auto",
            .group = hosts_group,
            .help = "This host's address for the others: auto (the one they are reached by), any, "
                    "or an address",
            .apply = apply_listen},
    Setting{.key = "secure",
            .short_option = {},
            .type_name = {},
            .usual = "no",
            .group = hosts_group,
            .help = "Encrypt messages between hosts; they are authenticated in any case",
            .apply = apply_secure},
    Setting{.key = "timeout",
            .short_option = {},
            .type_name = "DURATION",
            .usual = "none",
            .group = output_group,
            .help = "End the job after this time (exit code 124): seconds, or as in 90s, 1.5m, 2h",
            .apply = apply_timeout},
    Setting{.key = "stdin",
            .short_option = {},
            .type_name = "RANK",
            .usual = "0",
            .group = output_group,
            .help = "Rank that reads standard input; none: no process",
            .apply = apply_stdin},
    Setting{.key = "tag-output",
            .short_option = {},
            .type_name = {},
            .usual = "no",
            .group = output_group,
            .help = "Begin each line with the process that wrote it",
            .apply = apply_tag_output},
    Setting{.key = "output-dir",
            .short_option = {},
            .type_name = "DIR",
            .usual = "none",
            .group = output_group,
            .help = "Write what rank N prints into DIR/rankN.out and DIR/rankN.err",
            .apply = apply_output_dir},
    Setting{.key = "bind-to",
            .short_option = {},
            .type_name = "core|numa|none",
            .usual = "none",
            .group = limits_group,
            .help = "Bind each process to a core or a NUMA node; needs hwloc",
            .apply = apply_bind_to},
    Setting{
        .key = "map-by",
        .short_option = {},
        .type_name = "core|numa",
        .usual = "core",
        .group = limits_group,
        .help = "Order of binding: one core after the other, or a core of each NUMA node in turn",
        .apply = apply_map_by},
    Setting{.key = "max-processes",
            .short_option = {},
            .type_name = "N",
            .usual = "twice as many as at first, at least 256; 8192 without -n",
            .group = limits_group,
            .help = "Upper limit on processes, spawned ones included",
            .apply = apply_max_processes},
    Setting{.key = "message-memory",
            .short_option = {},
            .type_name = "BYTES",
            .usual = "a quarter of the memory that is available, at most 4G",
            .group = limits_group,
            .help = "Memory for messages that have not been received; above it, sends wait; with "
                    "K, M or G; or none",
            .apply = apply_message_memory},
    Setting{.key = "stack",
            .short_option = {},
            .type_name = "KIB",
            .usual = "8192",
            .group = fibers_group,
            .help = "Stack of each process in KiB (fibers only)",
            .apply = apply_stack},
    Setting{.key = "seed",
            .short_option = {},
            .type_name = "N",
            .usual = "0",
            .group = fibers_group,
            .help = "Scheduling seed (fibers only); even: at random; odd: by random "
                    "priorities; 0: first come, first served",
            .apply = apply_seed},
    Setting{.key = "time",
            .short_option = {},
            .type_name = "real|virtual",
            .usual = "real",
            .group = fibers_group,
            .help = "Clock of the programs (fibers only): a virtual one advances while all wait",
            .apply = apply_time},
    Setting{.key = "deadlock",
            .short_option = {},
            .type_name = "end|report|off",
            .usual = "end",
            .group = debugging_options,
            .help = "On a deadlock: end the job (exit code 86), or report it and go on",
            .apply = apply_deadlock},
    Setting{.key = "send",
            .short_option = {},
            .type_name = "buffered|synchronous",
            .usual = "buffered",
            .group = debugging_options,
            .help = "synchronous: blocking sends wait, to find programs that rely on buffering",
            .apply = apply_send},
    Setting{.key = "verbose",
            .short_option = "-v",
            .type_name = {},
            .usual = "no",
            .group = debugging_options,
            .help = "Report events of the processes",
            .apply = apply_verbose},
};

}  // namespace

std::string missing_network() {
  bool const has = std::ranges::any_of(
      back_ends(), [](auto const* row) { return row->connectivity != nullptr; });
  return has ? std::string{} : left_out_back_end("tcp");
}

std::string Setting::variable() const {
  std::string name = "EARL_";
  for (char const c : key)
    name += c == '-' ? '_' : static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  return name;
}

std::span<Setting const> setting_rows() { return rows; }

Setting const* find_setting(std::string_view key) {
  auto const found = std::ranges::find(rows, key, &Setting::key);
  return found == rows.end() ? nullptr : &*found;
}

std::vector<std::string> setting_keys() {
  std::vector<std::string> keys;
  keys.reserve(rows.size());
  for (auto const& row : rows) keys.emplace_back(row.key);
  return keys;
}

Settings::Settings() : set_(rows.size()) {
  for (auto const& row : rows)
    values_.push_back({.text = std::string(row.usual), .origin = built_in});
}

std::size_t Settings::index_of(Setting const& row) {
  return static_cast<std::size_t>(&row - rows.data());
}

void Settings::put(Setting const& row, std::string value, std::string origin,
                   std::string_view place) {
  try {
    Plan trial;
    row.apply(trial, value);
  } catch (UsageError const& error) {
    throw UsageError("{}: {}", place, error.what());
  }
  values_[index_of(row)] = {.text = std::move(value), .origin = std::move(origin)};
  set_[index_of(row)] = true;
}

void Settings::apply_to(Plan& plan) const {
  for (std::size_t i = 0; i < rows.size(); ++i)
    if (set_[i]) rows[i].apply(plan, values_[i].text);
}

std::vector<std::string> misspelt_variables() {
  constexpr std::string_view prefix = "EARL_";
  constexpr std::size_t shortest = 4;  // shorter names have too many neighbours
  std::vector<std::string> names;
  names.reserve(rows.size());
  for (auto const& row : rows) names.push_back(row.variable());
  std::vector<std::string> sentences;
  for (char** variable = environ; *variable; ++variable) {
    std::string_view const text = *variable;
    auto const name = text.substr(0, text.find('='));
    if (!name.starts_with(prefix) || name.size() < prefix.size() + shortest) continue;
    if (std::ranges::find(names, name) != names.end()) continue;
    auto const near = std::ranges::find_if(
        names, [&](auto const& known) { return distance(name, known) <= known.size() / 6; });
    if (near != names.end())
      sentences.push_back(fmt::format("{} is no setting of Earl; did you mean {}?", name, *near));
  }
  return sentences;
}

void put_environment(Settings& settings) {
  for (auto const& row : rows) put_environment(settings, row);
}

void put_environment(Settings& settings, Setting const& row) {
  auto const variable = row.variable();
  if (char const* value = std::getenv(variable.c_str()))
    settings.put(row, value, variable, fmt::format("{}={}", variable, value));
}

}  // namespace earl::exec
