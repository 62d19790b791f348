// SPDX-License-Identifier: BSD-3-Clause
#include "debug/replay/cuts.hpp"

#include <fmt/format.h>

#include <optional>
#include <string_view>
#include <vector>

#include "debug/trace/describe.hpp"
#include "debug/trace/meta.hpp"
#include "debug/trace/reader.hpp"
#include "debug/trace/trace_file.hpp"
#include "generic/base/error.hpp"

namespace earl::replay {

namespace {

constexpr std::size_t most_named = 8;

/// Null: missing, empty, or no trace at all.
std::optional<trace::Ending> ending_of(std::string const& path) {
  try {
    trace::TraceReader reader(path);
    while (reader.next_frame()) {  // what is in them does not matter
    }
    return reader.ending();
  } catch (Error const&) {
    return std::nullopt;
  }
}

bool is_whole(std::string const& path) {
  auto const ending = ending_of(path);
  return ending && ending->complete;
}

bool is_damaged(std::string const& path) {
  auto const ending = ending_of(path);
  return ending && !ending->gaps.empty();
}

std::string list(std::vector<std::string> const& names) {
  std::string text;
  for (std::size_t i = 0; i < names.size() && i < most_named; ++i)
    text += (i == 0 ? "" : i + 1 == names.size() ? " and " : ", ") + names[i];
  if (names.size() > most_named) text += fmt::format(" and {} more", names.size() - most_named);
  return text;
}

/// "the records of rank 0 and rank 3 are cut"; empty: of none.
std::string clause(std::vector<std::string> const& records, std::string_view state) {
  if (records.empty()) return {};
  return records.size() == 1 ? fmt::format("the record of {} is {}", records.front(), state)
                             : fmt::format("the records of {} are {}", list(records), state);
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
  for (auto const rank : cut_ranks_in(folder)) cut.push_back(trace::to_text(rank));
  if (!is_whole(trace::exec_path(folder))) cut.emplace_back("EXEC");
  return clause(cut, "cut");
}

std::string damage_in(std::string const& folder) {
  std::vector<std::string> damaged;
  for (auto const rank : trace::ranks_in(folder, trace::read_meta(folder)))
    if (is_damaged(trace::rank_path(folder, Rank{rank})))
      damaged.push_back(trace::to_text(Rank{rank}));
  if (is_damaged(trace::exec_path(folder))) damaged.emplace_back("EXEC");
  return clause(damaged, "damaged");
}

}  // namespace earl::replay
