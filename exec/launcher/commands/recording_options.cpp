// SPDX-License-Identifier: BSD-3-Clause
/// The options of commands that look into recordings.
#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

#include "debug/analyse/export.hpp"
#include "debug/analyse/messages.hpp"
#include "exec/launcher/commands/command_line.hpp"
#include "exec/launcher/commands/options.hpp"
#include "exec/launcher/commands/recordings.hpp"
#include "exec/launcher/nearest.hpp"
#include "generic/base/number.hpp"

namespace earl::exec {

namespace {

std::int32_t parse_rank(std::string_view option, std::string const& text) {
  auto const rank = number_from<std::int32_t>(text);
  if (!rank || *rank < 0) throw UsageError("{} {}: a rank is a number from 0", option, text);
  return *rank;
}

template <class Number>
Number parse_number(std::string_view option, std::string const& text) {
  auto const value = number_from<Number>(text);
  if (!value) throw UsageError("{} {}: a number is needed", option, text);
  return *value;
}

constexpr std::array message_options{"--messages", "--sends", "--peer", "--tag",
                                     "--site",     "--from",  "--to"};

/// The options that choose messages, as typed.
struct RawMessages {
  std::string peer, tag, from, to;
};

void add_message_options(CommandLine& line, RawMessages& raw, analyse::MessageOptions& options,
                         bool& wanted) {
  auto const group = "Message by message";
  line.add_flag({.names = "--messages", .help = "Each message received", .group = group}, wanted);
  line.add_flag({.names = "--sends", .help = "Also each message sent", .group = group},
                options.sends);
  line.add_value({.names = "--peer",
                  .help = "Only messages from or to this process",
                  .type = "R",
                  .group = group},
                 raw.peer);
  line.add_value(
      {.names = "--tag", .help = "Only with this tag, or type", .type = "N", .group = group},
      raw.tag);
  line.add_value(
      {.names = "--site",
       .help = "Only calls whose name and place contain this text, as crecv or racy.c:31",
       .type = "TEXT",
       .group = group},
      options.site);
  line.add_value({.names = "--from",
                  .help = "Only from this event of a process on",
                  .type = "N",
                  .group = group},
                 raw.from);
  line.add_value({.names = "--to", .help = "Only up to this event", .type = "N", .group = group},
                 raw.to);
}

void apply_messages(RawMessages const& raw, analyse::MessageOptions& options) {
  if (!raw.peer.empty()) options.peer = parse_rank("--peer", raw.peer);
  if (!raw.tag.empty()) options.tag = parse_number<std::int32_t>("--tag", raw.tag);
  if (!raw.from.empty()) options.from = parse_number<std::uint64_t>("--from", raw.from);
  if (!raw.to.empty()) options.to = parse_number<std::uint64_t>("--to", raw.to);
  if (options.from > options.to)
    throw UsageError("--from {} --to {}: the first event comes after the last one", raw.from,
                     raw.to);
}

}  // namespace

ShowPlan parse_show(std::vector<std::string> const& arguments) {
  CommandLine line("earl show", "Show what a recording holds.\n");
  ShowPlan plan;
  std::string rank;
  RawMessages raw;
  line.add_flag({.names = "--outcomes", .help = "Also every recorded outcome, one line each"},
                plan.options.outcomes);
  line.add_value({.names = "--rank", .help = "Only this process", .type = "R"}, rank);
  line.add_flag({.names = "--json", .help = "Print JSON: the summary, or the messages chosen"},
                plan.messages.json);
  add_message_options(line, raw, plan.messages, plan.by_message);
  plan.recording = parse_recording(line, "earl show", arguments, [&] {
    apply_messages(raw, plan.messages);
    if (!rank.empty()) plan.messages.rank = plan.options.rank = parse_rank("--rank", rank);
  });
  auto const given = [&](char const* option) { return line.count(option) != 0; };
  plan.by_message = std::ranges::any_of(message_options, given);
  return plan;
}

RacesPlan parse_races(std::vector<std::string> const& arguments) {
  CommandLine line(
      "earl races",
      "Show which receives raced, and with which messages. Data that a recording lacks "
      "is taken from one replay.\n");
  RacesPlan plan;
  line.add_flag({.names = "--frontier", .help = "Only races before which there is no other race"},
                plan.options.frontier);
  line.add_flag({.names = "--all", .help = "Each race, not one for all at the same lines"},
                plan.options.all);
  line.add_flag({.names = "--json", .help = "Print JSON; each race"}, plan.options.json);
  plan.recording = parse_recording(line, "earl races", arguments);
  return plan;
}

FlipPlan parse_flip(std::vector<std::string> const& arguments) {
  CommandLine line(
      "earl flip",
      "Run a recorded job again with the other outcome of a race: the receive gets the "
      "first of the other messages. Later events are free, all others as recorded.\n");
  FlipPlan plan;
  std::string race;
  add_trust_option(line, plan.recording.trust);
  line.add_operand({.names = "DIR", .help = "A recording"}, plan.recording.folder);
  line.add_operand({.names = "N", .help = "The race's number, as `earl races` has it"}, race);
  line.parse_all(arguments);
  if (race.empty())
    throw UsageError("a recording and the number of a race are needed; `earl races` numbers them");
  plan.race = parse_number<std::uint64_t>("race", race);
  check_readable(plan.recording.folder);
  return plan;
}

DiffPlan parse_diff(std::vector<std::string> const& arguments) {
  CommandLine line("earl diff",
                   "Show the differences between two recorded runs of one program, the first one "
                   "first. Data that a recording lacks is taken from one replay.\n");
  DiffPlan plan;
  line.add_flag({.names = "--json", .help = "Print JSON"}, plan.options.json);
  add_trust_option(line, plan.a.trust);
  line.add_operand({.names = "A", .help = "A recording"}, plan.a.folder);
  line.add_operand({.names = "B", .help = "Another"}, plan.b.folder);
  line.parse_all(arguments);
  plan.b.trust = plan.a.trust;
  if (plan.b.folder.empty()) throw UsageError("two recordings are needed; see `earl ls`");
  check_readable(plan.a.folder);
  check_readable(plan.b.folder);
  return plan;
}

namespace {

void check_picture(std::string const& file) {
  constexpr std::array others{".png", ".jpg", ".jpeg", ".gif", ".pdf", ".ps", ".eps"};
  if (std::ranges::any_of(others, [&](std::string_view ending) { return file.ends_with(ending); }))
    throw UsageError("-o {}: a page (.html) or a picture (.svg) is needed", file);
}

}  // namespace

ViewPlan parse_view(std::vector<std::string> const& arguments) {
  CommandLine line(
      "earl view",
      "Draw a run as one HTML file, or as SVG: a lane per rank, an arrow per message, races in "
      "red; or two runs on one page, and where they differ. Data that a recording lacks is taken "
      "from one replay.\n");
  ViewPlan plan;
  line.add_value({.names = "-o,--output",
                  .help = "Where to write it; SVG if it ends in .svg; -: standard output "
                          "[DIR/view.html, of two runs DIR/view-diff.html]",
                  .type = "FILE"},
                 plan.file);
  add_trust_option(line, plan.recording.trust);
  line.add_operand(
      {.names = "DIR", .help = "The recording; the latest in earl-recordings when not given"},
      plan.recording.folder);
  line.add_operand({.names = "OTHER", .help = "A recording to compare with"}, plan.other.folder);
  line.parse_all(arguments);
  plan.other.trust = plan.recording.trust;
  check_picture(plan.file);
  if (!plan.other.folder.empty() && plan.file.ends_with(".svg"))
    throw UsageError("-o {}: a drawing shows one run; two need a page (.html)", plan.file);
  if (plan.recording.folder.empty())
    plan.recording.folder = latest_recording("earl view");
  else
    check_readable(plan.recording.folder);
  if (!plan.other.folder.empty()) check_readable(plan.other.folder);
  return plan;
}

namespace {

using analyse::ExportFormat;
constexpr std::array<std::pair<std::string_view, ExportFormat>, 4> formats{
    {{"csv", ExportFormat::csv},
     {"perfetto", ExportFormat::perfetto},
     {"otf2", ExportFormat::otf2},
     {"paje", ExportFormat::paje}}};

ExportFormat parse_format(std::string const& text) {
  if (text.empty()) throw UsageError("--to is missing: csv, perfetto, otf2 or paje is needed");
  auto const known =
      std::ranges::find(formats, text, &std::pair<std::string_view, ExportFormat>::first);
  if (known != formats.end()) return known->second;
  throw UsageError("--to {}: csv, perfetto, otf2 or paje is needed{}", text,
                   guess(text, {"csv", "perfetto", "otf2", "paje"}));
}

}  // namespace

ExportPlan parse_export(std::vector<std::string> const& arguments) {
  CommandLine line(
      "earl export",
      "Write each send and receive of a run in a format that other programs read. Data "
      "that a recording lacks is taken from one replay.\n");
  ExportPlan plan;
  std::string format;
  line.add_value({.names = "--to",
                  .help = "A line for each send and receive (csv), trace events for Perfetto, an "
                          "OTF2 archive, or a Paje trace for pajeng and ViTE",
                  .type = "csv|perfetto|otf2|paje"},
                 format);
  line.add_value(
      {.names = "-o,--output",
       .help = "Where to write it; -: standard output [DIR/export.csv, export.json, export.otf2, "
               "export.paje]",
       .type = "FILE"},
      plan.file);
  plan.recording = parse_recording(line, "earl export", arguments, [&] {
    plan.format = parse_format(format);
    if (plan.format == ExportFormat::otf2 && plan.file == "-")
      throw UsageError("-o -: an OTF2 archive is a directory, so a name is needed");
  });
  return plan;
}

ProfilePlan parse_profile(std::vector<std::string> const& arguments) {
  CommandLine line(
      "earl profile",
      "Show where a run spent its calls, messages and bytes; times, too, where `earl record "
      "--times` has kept them.\n");
  ProfilePlan plan;
  line.add_flag({.names = "--json", .help = "Print JSON"}, plan.options.json);
  plan.recording = parse_recording(line, "earl profile", arguments);
  return plan;
}

}  // namespace earl::exec
