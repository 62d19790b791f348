// SPDX-License-Identifier: BSD-3-Clause
#include "debug/trace/meta.hpp"

#include <fcntl.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "debug/symbols/modules.hpp"
#include "debug/trace/reader.hpp"
#include "debug/trace/show.hpp"
#include "debug/trace/trace_file.hpp"
#include "generic/base/error.hpp"
#include "generic/system/read_file.hpp"

namespace earl::trace {

namespace fs = std::filesystem;
using nlohmann::json;

namespace {

std::string meta_path(std::string const& folder) { return folder + "/meta.json"; }
std::string end_path(std::string const& folder) { return folder + "/end.json"; }

json to_json(Meta const& meta) {
  return {
      {"format", format_major},
      {"earl", meta.version},
      {"run", to_text(meta.run)},
      {"command", meta.job.command},
      {"folder", meta.folder},
      {"back_end", meta.job.back_end},
      {"processes", meta.job.initial},
      {"programs", meta.programs},
      {"build_ids", meta.build_ids},
      {"hosts", meta.job.hosts},
      {"fixed_addresses", meta.job.fixed_addresses},
      {"minimal", meta.minimal},
      {"keep", meta.keep},
      {"settings", meta.job.settings},
      {"tools", meta.job.tools},
      {"environment", meta.job.environment},
  };
}

/// The fault in terms of the file: the library's own sentence names the library.
std::string fault_in(json::exception const& fault) {
  if (auto const* unreadable = dynamic_cast<json::parse_error const*>(&fault))
    return fmt::format("it is damaged at byte {}", unreadable->byte);
  return "an entry is missing or is not of its kind";
}

Meta from_json(json const& from) {
  Meta meta;
  meta.version = from.at("earl").get<std::string>();
  auto const format = from.at("format").get<int>();
  if (format != format_major)
    throw Error("it is in format {} and this Earl reads format {}: use Earl {}, which made it",
                format, format_major, meta.version);
  meta.job.command = from.at("command").get<std::vector<std::string>>();
  meta.folder = from.at("folder").get<std::string>();
  meta.job.back_end = from.at("back_end").get<std::string>();
  meta.job.initial = from.at("processes").get<std::uint32_t>();
  meta.job.hosts = from.value("hosts", std::vector<std::string>{});
  meta.job.fixed_addresses = from.value("fixed_addresses", false);
  meta.minimal = from.value("minimal", false);
  meta.keep = from.value("keep", std::uint64_t{0});
  meta.programs = from.at("programs").get<std::vector<std::string>>();
  meta.build_ids = from.value("build_ids", std::vector<std::string>{});
  meta.job.settings = from.at("settings").get<std::vector<std::string>>();
  meta.job.tools = from.at("tools").get<std::vector<std::string>>();
  meta.job.environment = from.at("environment").get<std::vector<std::string>>();
  auto const run = from.at("run").get<std::string>();
  if (run.size() != 32) throw Error("its run id has {} digits, not 32", run.size());
  meta.run.high = std::strtoull(run.substr(0, 16).c_str(), nullptr, 16);
  meta.run.low = std::strtoull(run.substr(16).c_str(), nullptr, 16);
  return meta;
}

bool is_ours(fs::path const& file) {
  auto const name = file.filename().string();
  return name == "meta.json" || name == "end.json" || name == "events.json" ||
         name == "view.html" || name == "export.csv" || name == "export.json" ||
         name == "export.otf2" || name == "export.paje" || name.ends_with(".json.new") ||
         file.extension() == ".ert" || file.extension() == ".packets" ||
         file.extension() == ".exec";
}

void refuse_foreign(std::string const& folder) {
  for (auto const& entry : fs::directory_iterator(folder))
    if (!is_ours(entry.path()))
      throw Error(
          "{} is there already and holds {}, which is no part of a recording: choose "
          "another name",
          folder, entry.path().filename().string());
}

void refuse_existing(std::string const& folder) {
  if (!fs::exists(folder)) return;
  refuse_foreign(folder);
  if (!fs::is_empty(folder))
    throw Error(
        "{} holds a recording already: choose another name, or replace it with `earl record "
        "--force`",
        folder);
}

/// Whole or not at all. Readable by its owner only: it may hold the environment.
void write_json(std::string const& path, json const& contents) {
  auto const fresh = path + ".new";
  std::ofstream out(fresh);
  fs::permissions(fresh, fs::perms::owner_read | fs::perms::owner_write);
  // A name that is no UTF-8 is written with marks in its place; better than no recording at all.
  out << contents.dump(2, ' ', false, json::error_handler_t::replace) << "\n";
  out.close();
  if (!out) throw Error("cannot write {}: {}", path, system_message(errno));
  fs::rename(fresh, path);
}

}  // namespace

RunId new_run_id() {
  RunId run;
  if (getrandom(&run, sizeof run, 0) != static_cast<ssize_t>(sizeof run))
    throw Error("the kernel gives no random numbers: {}", system_message(errno));
  return run;
}

std::string to_text(RunId const& run) { return fmt::format("{:016x}{:016x}", run.high, run.low); }

void note_programs(Meta& meta) {
  meta.programs = meta.job.programs;
  for (auto const& program : meta.programs) meta.build_ids.push_back(symbols::build_id_of(program));
}

void create_recording(std::string const& folder, Meta const& meta) {
  try {
    refuse_existing(folder);
    bool const made = fs::create_directories(folder);
    if (made) fs::permissions(folder, fs::perms::owner_all);
    write_json(meta_path(folder), to_json(meta));
  } catch (fs::filesystem_error const& error) {
    throw Error("cannot record to {}: {}", folder, error.code().message());
  }
}

void remove_recording(std::string const& folder) {
  try {
    if (!fs::exists(folder)) return;
    refuse_foreign(folder);
    for (auto const& entry : fs::directory_iterator(folder)) fs::remove_all(entry.path());
  } catch (fs::filesystem_error const& error) {
    throw Error("cannot remove the recording {}: {}", folder, error.code().message());
  }
}

void write_end(std::string const& folder, RunEnd const& end) {
  json made{{"exit_code", end.exit_code}, {"standstill", end.standstill}};
  for (auto const& one : end.waits)
    made["waits"].push_back({number(one.waiter), number(one.awaited), one.in_cycle});
  if (end.failed) {
    made["failed"] = *end.failed;
    made["why"] = end.why;
  }
  write_json(end_path(folder), made);
}

std::optional<RunEnd> read_end(std::string const& folder) {
  auto const text = read_file(end_path(folder));
  if (!text) return std::nullopt;
  try {
    auto const end = json::parse(*text);
    RunEnd read{.exit_code = end.at("exit_code").get<int>(),
                .standstill = end.at("standstill").get<std::string>()};
    if (end.contains("failed")) read.failed = end["failed"].get<std::int32_t>();
    read.why = end.value("why", "");
    for (auto const& one : end.value("waits", json::array()))
      read.waits.push_back({.waiter = Rank{one.at(0).get<std::int32_t>()},
                            .awaited = Rank{one.at(1).get<std::int32_t>()},
                            .in_cycle = one.at(2).get<bool>()});
    return read;
  } catch (std::exception const&) {
    return std::nullopt;
  }
}

Meta read_meta(std::string const& folder) {
  std::error_code ignored;
  if (!fs::exists(folder, ignored)) throw Error("no such recording: {}", folder);
  if (!fs::is_directory(folder, ignored))
    throw Error("{} is a file; a recording is a directory with meta.json in it", folder);
  auto const text = read_file(meta_path(folder));
  if (!text) throw Error("{} is not a recording: it has no meta.json", folder);
  try {
    return from_json(json::parse(*text));
  } catch (json::exception const& fault) {
    throw Error("{} is not a recording of this Earl: meta.json: {}", folder, fault_in(fault));
  } catch (std::exception const& error) {
    throw Error("{} is not a recording of this Earl: meta.json: {}", folder, error.what());
  }
}

namespace {

/// The reason why the recording must not choose the command here; empty: it may.
std::string objection_to(std::string const& folder, Meta const& meta) {
  for (auto const& path : {folder, meta_path(folder)}) {
    struct stat facts {};
    if (::stat(path.c_str(), &facts) != 0) return "cannot read " + path;
    if (facts.st_uid != ::geteuid())
      return fmt::format("{} belongs to another user (uid {})", path, facts.st_uid);
  }
  for (std::size_t i = 0; i < meta.programs.size(); ++i) {
    bool const said = i < meta.build_ids.size() && !meta.build_ids[i].empty();
    // A script has none; nor has a program that was linked without.
    if (!said && (i >= meta.build_ids.size() || !symbols::build_id_of(meta.programs[i]).empty()))
      return fmt::format("meta.json has no build-id of {}", meta.programs[i]);
  }
  return {};
}

}  // namespace

Recorded read_command(std::string const& path) {
  auto meta = read_meta(path);
  auto objection = objection_to(path, meta);
  bool const dropped = dropped_beginning(path, meta).has_value();
  return {.command = std::move(meta.job.command),
          .folder = std::move(meta.folder),
          .back_end = std::move(meta.job.back_end),
          .initial = meta.job.initial,
          .minimal = meta.minimal,
          .dropped_beginning = dropped,
          .hosts = std::move(meta.job.hosts),
          .version = std::move(meta.version),
          .programs = std::move(meta.programs),
          .settings = std::move(meta.job.settings),
          .tools = std::move(meta.job.tools),
          .environment = std::move(meta.job.environment),
          .objection = std::move(objection)};
}

std::optional<DroppedBeginning> dropped_beginning(std::string const& folder, Meta const& meta) {
  if (meta.keep == 0) return std::nullopt;
  for (auto const rank : ranks_in(folder, meta)) {
    try {
      const TraceReader reader(rank_path(folder, Rank{rank}));
      if (auto const& prefix = reader.prefix())
        return DroppedBeginning{.rank = rank, .first_event = prefix->first_event()};
    } catch (Error const&) {
      continue;  // no record of it
    }
  }
  return std::nullopt;
}

std::set<std::int32_t> ranks_in(std::string const& folder, Meta const& meta) {
  std::set<std::int32_t> ranks;
  for (std::uint32_t rank = 0; rank < meta.job.initial; ++rank)
    ranks.insert(static_cast<std::int32_t>(rank));
  for (auto const& entry : fs::directory_iterator(folder)) {
    auto const name = entry.path().filename().string();
    if (name.size() >= 6 && name[0] == 'r' && entry.path().extension() == ".ert")
      ranks.insert(std::atoi(name.c_str() + 1));
  }
  return ranks;
}

}  // namespace earl::trace
