// SPDX-License-Identifier: BSD-3-Clause
#include "debug/replay/cuts.hpp"

#include <fmt/format.h>

#include <vector>

#include "debug/trace/describe.hpp"
#include "debug/trace/meta.hpp"
#include "debug/trace/reader.hpp"
#include "debug/trace/trace_file.hpp"
#include "generic/base/error.hpp"

namespace earl::replay {

namespace {

constexpr std::size_t most_named = 8;

bool is_whole(std::string const& path) {
  try {
    trace::TraceReader reader(path);
    while (reader.next()) {
    }
    return reader.ending().complete;
  } catch (Error const&) {
    return false;  // missing, empty, or no trace at all
  }
}

std::string list(std::vector<std::string> const& names) {
  std::string words;
  for (std::size_t i = 0; i < names.size() && i < most_named; ++i)
    words += (i == 0 ? "" : i + 1 == names.size() ? " and " : ", ") + names[i];
  if (names.size() > most_named) words += fmt::format(" and {} more", names.size() - most_named);
  return words;
}

}  // namespace

std::vector<Rank> cut_ranks_in(std::string const& folder) {
  std::vector<Rank> cut;
  for (auto const rank : trace::ranks_in(folder, trace::read_meta(folder)))
    if (!is_whole(trace::rank_path(folder, Rank{rank}))) cut.push_back(Rank{rank});
  return cut;
}

std::string cuts_in(std::string const& folder) {
  std::vector<std::string> cut;
  for (auto const rank : cut_ranks_in(folder)) cut.push_back(trace::in_words(rank));
  if (!is_whole(trace::exec_path(folder))) cut.emplace_back("EXEC");
  if (cut.empty()) return {};
  return cut.size() == 1 ? "the record of " + cut.front() + " is cut"
                         : "the records of " + list(cut) + " are cut";
}

}  // namespace earl::replay
