// SPDX-License-Identifier: BSD-3-Clause
/// Reads files of events, which may be cut or damaged.
#pragma once

#include <set>

#include "debug/events/codec.hpp"
#include "debug/trace/reader.hpp"

namespace earl::events {

class EventReader {
 public:
  /// Throws Error as TraceReader does.
  explicit EventReader(std::string const& path) : file_(path) {}

  Rank rank() const { return file_.rank(); }
  std::uint32_t initial() const { return file_.initial(); }
  trace::RunId const& run() const { return file_.run(); }
  /// False: no more. Unreadable parts are skipped; ending() reports them then.
  bool next(Event& event);
  trace::Ending const& ending() const { return file_.ending(); }
  std::uint64_t stored_bytes() const { return file_.stored_bytes(); }

 private:
  trace::TraceReader file_;
  std::string frame_;
  trace::Get rest_{{}};
  Decoder decoder_;
};

/// Whether `folder` holds the events of a run or a replay that went to its end.
bool has_events(std::string const& folder);
/// The mark of completeness; written behind the last one.
void mark_complete(std::string const& folder, int exit_code, bool replayed);
/// Takes mark_complete() back: the next command that reads events makes them again.
void mark_incomplete(std::string const& folder);
/// Whether their times are those of the run, not of a replay.
bool has_times(std::string const& folder);
/// Removes the files of earlier events.
void remove_events(std::string const& folder);
std::set<std::int32_t> ranks_with_events(std::string const& folder);

}  // namespace earl::events
