#include "debug/trace/meta.hpp"

#include <fcntl.h>
#include <sys/random.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "debug/trace/modules.hpp"
#include "debug/trace/show.hpp"
#include "generic/error.hpp"

namespace earl::trace {

namespace fs = std::filesystem;
using nlohmann::json;

namespace {

std::string meta_path(std::string const& folder) { return folder + "/meta.json"; }

/// Where a shell would find `name`; empty: nowhere.
std::string located(std::string const& name) {
  std::error_code ignored;
  if (name.find('/') != std::string::npos) return fs::absolute(name, ignored).string();
  char const* path = std::getenv("PATH");
  std::istringstream folders(path != nullptr ? path : "");
  for (std::string folder; std::getline(folders, folder, ':');) {
    auto const file = (folder.empty() ? "." : folder) + "/" + name;
    if (access(file.c_str(), X_OK) == 0) return fs::absolute(file, ignored).string();
  }
  return {};
}

json to_json(Meta const& meta) {
  return {
      {"format", format_major},          {"earl", meta.version},
      {"run", in_words(meta.run)},       {"command", meta.story.command},
      {"folder", meta.folder},           {"back_end", meta.story.back_end},
      {"processes", meta.story.initial}, {"programs", meta.programs},
      {"build_ids", meta.build_ids},     {"hosts", meta.story.hosts},
  };
}

Meta from_json(json const& from) {
  Meta meta;
  meta.version = from.at("earl").get<std::string>();
  meta.story.command = from.at("command").get<std::vector<std::string>>();
  meta.folder = from.at("folder").get<std::string>();
  meta.story.back_end = from.at("back_end").get<std::string>();
  meta.story.initial = from.at("processes").get<std::uint32_t>();
  meta.story.hosts = from.value("hosts", std::vector<std::string>{});
  meta.programs = from.at("programs").get<std::vector<std::string>>();
  meta.build_ids = from.at("build_ids").get<std::vector<std::string>>();
  auto const run = from.at("run").get<std::string>();
  if (run.size() != 32) throw Error("its run id has {} digits, not 32", run.size());
  meta.run.high = std::strtoull(run.substr(0, 16).c_str(), nullptr, 16);
  meta.run.low = std::strtoull(run.substr(16).c_str(), nullptr, 16);
  return meta;
}

bool is_ours(fs::path const& file) {
  auto const name = file.filename().string();
  return name == "meta.json" || name == "meta.json.new" || file.extension() == ".ert";
}

/// Removes an older recording, file by file; refuses when there is anything else.
void clear(std::string const& folder) {
  for (auto const& entry : fs::directory_iterator(folder))
    if (!is_ours(entry.path()))
      throw Error(
          "{} is there already and holds {}, which is no part of a recording: choose "
          "another name",
          folder, entry.path().filename().string());
  for (auto const& entry : fs::directory_iterator(folder)) fs::remove(entry.path());
}

/// The places in a command where a program's name stands: at the start and after each ":", behind
/// options.
std::vector<std::string> program_names(std::vector<std::string> const& command) {
  std::vector<std::string> names;
  bool wanted = true;
  for (std::size_t i = 0; i < command.size(); ++i) {
    auto const& word = command[i];
    if (word == ":") {
      wanted = true;
    } else if (wanted && word == "-n") {
      ++i;
    } else if (wanted) {
      names.push_back(word);
      wanted = false;
    }
  }
  return names;
}

}  // namespace

RunId new_run_id() {
  RunId run;
  if (getrandom(&run, sizeof run, 0) != static_cast<ssize_t>(sizeof run))
    throw Error("the kernel gives no random numbers: {}", system_message(errno));
  return run;
}

std::string in_words(RunId const& run) { return fmt::format("{:016x}{:016x}", run.high, run.low); }

void note_programs(Meta& meta) {
  for (auto const& name : program_names(meta.story.command)) {
    meta.programs.push_back(located(name));
    meta.build_ids.push_back(build_id_of(meta.programs.back()));
  }
}

void create_recording(std::string const& folder, Meta const& meta) {
  try {
    if (fs::exists(folder)) clear(folder);
    fs::create_directories(folder);
    auto const fresh = meta_path(folder) + ".new";
    std::ofstream out(fresh);
    // A name that is no UTF-8 is told with marks in its place; better than no recording at all.
    out << to_json(meta).dump(2, ' ', false, json::error_handler_t::replace) << "\n";
    out.close();
    if (!out) throw Error("cannot record to {}: {}", folder, system_message(errno));
    fs::rename(fresh, meta_path(folder));
  } catch (fs::filesystem_error const& error) {
    throw Error("cannot record to {}: {}", folder, error.code().message());
  }
}

Meta read_meta(std::string const& folder) {
  std::error_code ignored;
  if (!fs::exists(folder, ignored)) throw Error("no such recording: {}", folder);
  if (!fs::is_directory(folder, ignored))
    throw Error("{} is a file; a recording is a folder with meta.json in it", folder);
  std::ifstream in(meta_path(folder));
  if (!in) throw Error("{} is no recording: it has no meta.json", folder);
  try {
    return from_json(json::parse(in));
  } catch (std::exception const& error) {
    throw Error("{} is no recording of this Earl: meta.json: {}", folder, error.what());
  }
}

Recorded read_command(std::string const& path) {
  auto meta = read_meta(path);
  return {.command = std::move(meta.story.command),
          .folder = std::move(meta.folder),
          .back_end = std::move(meta.story.back_end),
          .initial = meta.story.initial,
          .hosts = std::move(meta.story.hosts),
          .version = std::move(meta.version)};
}

std::set<std::int32_t> ranks_in(std::string const& folder, Meta const& meta) {
  std::set<std::int32_t> ranks;
  for (std::uint32_t rank = 0; rank < meta.story.initial; ++rank)
    ranks.insert(static_cast<std::int32_t>(rank));
  for (auto const& entry : fs::directory_iterator(folder)) {
    auto const name = entry.path().filename().string();
    if (name.size() >= 6 && name[0] == 'r' && entry.path().extension() == ".ert")
      ranks.insert(std::atoi(name.c_str() + 1));
  }
  return ranks;
}

}  // namespace earl::trace
