// SPDX-License-Identifier: BSD-3-Clause
#include "debug/analyse/otf2.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <filesystem>
#include <map>
#include <string_view>

#include "debug/analyse/otf2_archive.h"
#include "generic/base/error.hpp"
#include "generic/system/optional_module.hpp"

namespace earl::analyse {

namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t ticks_per_second = 1'000'000'000;

OptionalModule<EarlOtf2Table> load_writer() {
  return load_module<EarlOtf2Table>("debug/analyse", "earl-otf2.so", "libotf2", "earl_otf2",
                                    earl_otf2_version);
}

class Otf2Run {
 public:
  explicit Otf2Run(Slices& slices);
  EarlOtf2Run const& table() const { return table_; }

 private:
  /// Columns are a second wide as in Paje.
  std::uint64_t ticks(std::int64_t time) const { return static_cast<std::uint64_t>(time) * unit_; }
  std::uint32_t region_of(std::string const& call);
  void describe_regions();
  void add_steps(std::uint32_t rank);
  static EarlOtf2Event call_event(std::uint64_t time, EarlOtf2Kind kind, std::uint32_t region) {
    return {.time = time, .kind = kind, .region = region, .peer = 0, .tag = 0, .length = 0};
  }
  EarlOtf2Event message_event(Slice const& slice) const;

  Slices& slices_;
  std::uint64_t unit_;
  std::map<std::string, std::uint32_t> regions_{};
  std::vector<std::vector<EarlOtf2Event>> events_;
  std::vector<std::string> files_{};  ///< by region
  std::vector<EarlOtf2Region> places_{};
  std::vector<EarlOtf2Rank> ranks_{};
  EarlOtf2Run table_{};
};

Otf2Run::Otf2Run(Slices& slices)
    : slices_(slices), unit_(slices.timed() ? 1 : 1'000'000), events_(slices.ranks()) {
  std::uint64_t end = 0;
  for (std::uint32_t rank = 0; rank < slices.ranks(); ++rank) {
    add_steps(rank);
    auto const& own = events_[rank];
    if (!own.empty()) end = std::max(end, own.back().time);
    ranks_.push_back({own.data(), own.size()});
  }
  describe_regions();
  table_ = {.ticks_per_second = ticks_per_second,
            .length = end + 1,
            .regions = places_.data(),
            .region_count = places_.size(),
            .ranks = ranks_.data(),
            .rank_count = ranks_.size()};
}

std::uint32_t Otf2Run::region_of(std::string const& call) {
  return regions_.try_emplace(call, static_cast<std::uint32_t>(regions_.size())).first->second;
}

/// The place in "crecv at racy.c:31 ..." is a file and a line.
void Otf2Run::describe_regions() {
  constexpr std::string_view at = " at ";
  files_.resize(regions_.size());
  places_.resize(regions_.size());
  for (auto const& [call, number] : regions_) {
    auto const begin = call.find(at);
    auto const colon = begin == std::string::npos ? begin : call.find(':', begin);
    std::uint32_t line = 0;
    if (colon != std::string::npos) {
      files_[number] = call.substr(begin + at.size(), colon - begin - at.size());
      std::from_chars(call.data() + colon + 1, call.data() + call.size(), line);
    }
    places_[number] = {.name = call.c_str(), .file = files_[number].c_str(), .line = line};
  }
}

/// A call that got no message has no event but its own.
void Otf2Run::add_steps(std::uint32_t rank) {
  auto& own = events_[rank];
  for (auto const& slice : slices_.of(rank)) {
    auto const region = region_of(slices_.call_text(rank, slice.at));
    own.push_back(call_event(ticks(slice.begin), earl_otf2_enter, region));
    if (slice.step.receive == none || slices_.has_arrow(slice.step))
      own.push_back(message_event(slice));
    own.push_back(call_event(ticks(slice.end), earl_otf2_leave, region));
  }
}

EarlOtf2Event Otf2Run::message_event(Slice const& slice) const {
  auto const& message = slices_.history().messages[slice.step.message];
  bool const sends = slice.step.receive == none;
  return {.time = ticks(slice.arrow),
          .kind = sends ? earl_otf2_send : earl_otf2_receive,
          .region = 0,
          .peer = sends ? message.dest : message.source,
          .tag = static_cast<std::uint32_t>(message.tag),
          .length = message.length};
}

}  // namespace

void write_otf2(Slices& slices, std::string const& folder) {
  auto const writer = load_writer();
  if (!writer.table) throw Error("{}", writer.failure);
  if (fs::exists(folder))
    throw Error("{} is there already: choose another name, or remove it", folder);
  Otf2Run const run(slices);
  std::array<char, earl_otf2_why_size> why{};
  if (writer.table->write(folder.c_str(), &run.table(), why.data()) != 0) return;
  std::error_code ignored;
  fs::remove_all(folder, ignored);
  throw Error("{} cannot be written: {}", folder, why.data());
}

std::string otf2_unavailable() { return load_writer().failure; }

}  // namespace earl::analyse
