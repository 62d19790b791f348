// SPDX-License-Identifier: BSD-3-Clause
/// Puts events into a trace file.
#pragma once

#include <string>
#include <unordered_map>

#include "debug/events/codec.hpp"
#include "debug/trace/sites.hpp"
#include "debug/trace/trace_file.hpp"

namespace earl::events {

class EventWriter {
 public:
  /// Throws Error as TraceFile does.
  explicit EventWriter(trace::TraceFileOptions options) : file_(std::move(options)) {}

  /// An event survives the process once this returns.
  void put(Event const& event);
  void count_call(std::uint64_t call) { file_.event(call); }
  void finish(std::uint64_t calls, std::uint64_t unreceived);
  void continue_in(std::string path) { file_.continue_in(std::move(path)); }

  // The number of something that is defined in the file where it comes first.
  std::uint32_t site(Call const& call);
  std::uint32_t filter(Filter const& filter);
  std::uint32_t members(std::span<Rank const> ranks);
  std::uint32_t string(std::string_view text);

 private:
  std::uint32_t define(Event const& definition);

  trace::TraceFile file_;
  Encoder encoder_;
  std::uint32_t frame_ = 0;  ///< that the encoder is in
  trace::SiteTable sites_;
  std::unordered_map<std::string, std::uint32_t> known_;  ///< by kind and bytes
  std::array<std::uint32_t, std::size_t{last_event_kind} + 1> defined_{};
  Filter last_filter_{};
  std::uint32_t last_filter_number_ = ~std::uint32_t{0};
};

/// The file of one rank in the recording `folder`.
std::string events_path(std::string const& folder, Rank rank);

}  // namespace earl::events
