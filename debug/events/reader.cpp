// SPDX-License-Identifier: BSD-3-Clause
#include "debug/events/reader.hpp"

#include <fmt/format.h>

#include <cerrno>
#include <filesystem>
#include <fstream>

#include "debug/events/writer.hpp"
#include "generic/base/error.hpp"
#include "generic/base/number.hpp"
#include "generic/system/read_file.hpp"

namespace earl::events {

namespace fs = std::filesystem;

bool EventReader::next(Event& event) {
  for (;;) {
    while (rest_.at_end()) {
      auto frame = file_.next_record(trace::FrameKind::events);
      if (!frame) return false;
      frame_ = std::move(*frame);
      rest_ = trace::Get(std::as_bytes(std::span{frame_}));
      decoder_.reset();
    }
    if (decoder_.get(rest_, event)) return true;
    rest_ = trace::Get({});
  }
}

namespace {

std::string marker(std::string const& folder) { return folder + "/events.json"; }

}  // namespace

bool has_events(std::string const& folder) { return fs::exists(marker(folder)); }

bool has_times(std::string const& folder) {
  auto const text = read_file(marker(folder)).value_or("");
  return text.find("\"replayed\": false") != std::string::npos;
}

void mark_complete(std::string const& folder, int exit_code, bool replayed) {
  auto const fresh = marker(folder) + ".new";
  std::ofstream out(fresh);
  out << fmt::format("{{\"exit_code\": {}, \"replayed\": {}}}\n", exit_code, replayed);
  out.close();
  if (!out) throw Error("cannot write {}: {}", fresh, system_message(errno));
  fs::rename(fresh, marker(folder));
}

void mark_incomplete(std::string const& folder) { fs::remove(marker(folder)); }

std::set<std::int32_t> ranks_with_events(std::string const& folder) {
  std::set<std::int32_t> ranks;
  for (auto const& entry : fs::directory_iterator(folder)) {
    auto const name = entry.path().filename().string();
    if (name.size() < 6 || name[0] != 'e' || entry.path().extension() != ".ert") continue;
    if (auto const rank = number_from<std::int32_t>(name.substr(1, name.size() - 5)))
      ranks.insert(*rank);
  }
  return ranks;
}

void remove_events(std::string const& folder) {
  mark_incomplete(folder);
  for (auto const rank : ranks_with_events(folder)) fs::remove(events_path(folder, Rank{rank}));
}

}  // namespace earl::events
