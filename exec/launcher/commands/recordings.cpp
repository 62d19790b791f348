// SPDX-License-Identifier: BSD-3-Clause
#include "exec/launcher/commands/recordings.hpp"

#include <fcntl.h>
#include <fmt/chrono.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <vector>

#include "debug/trace/show.hpp"
#include "exec/launcher/commands/command_line.hpp"
#include "exec/launcher/commands/commands.hpp"
#include "exec/launcher/commands/json_output.hpp"
#include "exec/launcher/plan.hpp"
#include "generic/base/error.hpp"
#include "generic/system/descriptor.hpp"

namespace earl::exec {

namespace {

namespace fs = std::filesystem;

constexpr char const* latest = "latest";

struct Row {
  fs::path folder;
  std::time_t begun = 0;
  std::uintmax_t bytes = 0;
};

/// Bytes of its files, without holes: `--keep` drops old records so.
std::uintmax_t size_of(fs::path const& folder) {
  constexpr std::uintmax_t block = 512;
  std::uintmax_t bytes = 0;
  std::error_code error;
  for (auto const& entry : fs::directory_iterator(folder, error)) {
    struct stat facts {};
    if (::stat(entry.path().c_str(), &facts) == 0)
      bytes += std::min<std::uintmax_t>(static_cast<std::uintmax_t>(facts.st_size),
                                        static_cast<std::uintmax_t>(facts.st_blocks) * block);
  }
  return bytes;
}

void add_recordings(fs::path const& folder, std::vector<Row>& rows) {
  std::error_code error;
  for (auto const& entry : fs::directory_iterator(folder, error)) {
    if (entry.is_symlink(error) || !entry.is_directory(error)) continue;
    auto const meta = entry.path() / "meta.json";
    struct stat facts {};
    if (::stat(meta.c_str(), &facts) != 0) continue;
    rows.push_back(
        {.folder = entry.path(), .begun = facts.st_mtime, .bytes = size_of(entry.path())});
  }
}

std::string size_text(std::uintmax_t bytes) {
  if (bytes < 10'000) return fmt::format("{} B", bytes);
  if (bytes < 10'000'000) return fmt::format("{} kB", bytes / 1000);
  return fmt::format("{} MB", bytes / 1'000'000);
}

nlohmann::json as_json(std::vector<Row> const& rows) {
  auto all = nlohmann::json::array();
  for (auto const& row : rows) {
    auto const summary = trace::summary(row.folder);
    all.push_back({{"directory", row.folder.lexically_normal().string()},
                   {"begun", row.begun},
                   {"bytes", row.bytes},
                   {"verdict", summary.verdict},
                   {"exit_code", summary.exit_code},
                   {"back_end", summary.back_end},
                   {"command", summary.command},
                   {"fault", summary.fault}});
  }
  return all;
}

void print(Row const& row) {
  auto const name = row.folder.lexically_normal().string();
  fmt::print("{:%Y-%m-%d %H:%M:%S}  {:>8}  {:<24}  {}\n", fmt::localtime(row.begun),
             size_text(row.bytes), name, trace::summary(row.folder).text());
}

}  // namespace

std::string latest_recording(std::string_view command) {
  auto const link = fs::path(recordings_folder) / latest;
  std::error_code ignored;
  if (!fs::is_directory(link, ignored))
    throw UsageError(
        "no recording is named, as in `{} DIR`, and {} does not lead to one; see `earl ls`",
        command, link.string());
  return (link.parent_path() / fs::read_symlink(link)).string();
}

void RecordingChoice::refuse_untrusted(trace::Recorded const& recorded) const {
  if (!trust && !recorded.objection.empty())
    throw Error(
        "{} is not replayed: {}, and a recording chooses which programs run; see its meta.json, "
        "then --trust runs them",
        folder, recorded.objection);
}

void RecordingChoice::check_no_trust() const {
  if (trust) throw UsageError("--trust: a program is named, no recording; leave --trust out");
}

std::vector<std::string> RecordingChoice::replay_arguments(std::vector<std::string> options) const {
  if (trust) options.emplace_back("--trust");
  options.push_back(folder);
  return options;
}

void add_trust_option(CommandLine& line, bool& trust) {
  line.add_flag({.names = "--trust",
                 .help = "Run what the recording names, also another user's or without build-ids"},
                trust);
}

std::string next_recording(std::string const& program) {
  auto const name = fs::path(program).filename().string();
  for (unsigned n = 1;; ++n) {
    auto folder = fmt::format("{}/{}-{}", recordings_folder, name, n);
    if (!fs::exists(fs::symlink_status(folder))) return folder;
  }
}

void check_place_for(std::string const& recording) {
  std::error_code ignored;
  auto parent = fs::absolute(recording).parent_path();
  if (!fs::exists(parent, ignored)) parent = fs::current_path();
  if (::access(parent.c_str(), W_OK | X_OK) != 0)
    throw Error("cannot record to {}: {}: {}; -o DIR records to another directory", recording,
                parent.string(), system_message(errno));
}

void note_latest(std::string const& recording) {
  auto const link = fs::path(recordings_folder) / latest;
  auto const fresh = fs::path(recordings_folder) / fmt::format(".{}.{}", latest, ::getpid());
  std::error_code error;
  fs::create_directories(recordings_folder, error);
  if (!error) fs::create_directory_symlink(fs::path(recording).filename(), fresh, error);
  if (!error) fs::rename(fresh, link, error);
  if (error) throw Error("cannot note {} as the latest: {}", recording, error.message());
}

bool end_with_recording(std::vector<std::string> const& arguments) {
  if (arguments.empty()) return false;
  std::error_code error;
  bool const there = fs::exists(arguments.back() + "/meta.json", error);
  return there || error == std::errc::permission_denied;  // to be refused as one
}

void check_readable(std::string const& recording) {
  auto const meta = recording + "/meta.json";
  if (Descriptor const file(::open(meta.c_str(), O_RDONLY | O_CLOEXEC)); file) return;
  auto const number = errno;
  std::error_code ignored;
  if (number == ENOENT && !fs::exists(recording, ignored))
    throw Error("no such recording: {}; `earl ls` lists those there are", recording);
  if (number != ENOENT && number != ENOTDIR)
    throw Error("{} cannot be read: {}; it is for its owner, see `ls -ld {}`", meta,
                system_message(number), recording);
}

RecordingChoice parse_named_recording(CommandLine& line, std::vector<std::string> const& arguments,
                                      std::function<void()> const& check_values) {
  RecordingChoice chosen;
  add_trust_option(line, chosen.trust);
  line.add_operand(
      {.names = "DIR", .help = "The recording; the latest in earl-recordings when not given"},
      chosen.folder);
  line.parse_all(arguments);
  if (check_values) check_values();
  if (!chosen.folder.empty()) check_readable(chosen.folder);
  return chosen;
}

RecordingChoice parse_recording(CommandLine& line, std::string_view command,
                                std::vector<std::string> const& arguments,
                                std::function<void()> const& check_values) {
  auto chosen = parse_named_recording(line, arguments, check_values);
  if (chosen.folder.empty()) chosen.folder = latest_recording(command);
  return chosen;
}

int ls_command(std::vector<std::string> const& arguments) {
  CommandLine line("earl ls",
                   "List the recordings in a directory and in its earl-recordings, newest first: "
                   "begin, size, directory, how they ended, back end, command.\n");
  std::string folder = ".";
  bool json = false;
  line.add_flag({.names = "--json", .help = "Print JSON; times in seconds since 1970"}, json);
  line.add_operand({.names = "DIR", .help = "The directory; this one when not given"}, folder);
  line.parse_all(arguments);
  if (!fs::is_directory(folder)) throw Error("{} is no directory", folder);
  std::vector<Row> rows;
  add_recordings(folder, rows);
  add_recordings(fs::path(folder) / recordings_folder, rows);
  std::ranges::sort(rows, std::greater{}, &Row::begun);
  if (json) {
    print_json(as_json(rows));
    return 0;
  }
  for (auto const& row : rows) print(row);
  if (rows.empty()) fmt::print("no recordings in {}\n", folder);
  return 0;
}

}  // namespace earl::exec
