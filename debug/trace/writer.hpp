// SPDX-License-Identifier: BSD-3-Clause
/// Puts outcomes into a trace file.
#pragma once

#include "debug/trace/codec.hpp"
#include "debug/trace/trace_file.hpp"

namespace earl::trace {

class TraceWriter {
 public:
  /// Throws Error as TraceFile does.
  explicit TraceWriter(TraceFileOptions options);

  /// Appends one outcome, which survives the process once this returns.
  void put(Outcome const& outcome);
  /// The same for a receive, as fast as can be when it is in all as expected.
  void put(Received const& received) {
    if (file_.misses() == 0 && file_.frame() == encoder_frame_) [[likely]] {
      auto* const to = file_.room_for(1);
      if (to != nullptr && encoder_.put_expected(received, to)) return file_.commit(1);
    }
    put(outcome_of(received));
  }
  /// One more answer "no"; a run of them becomes one record when anything else is put. The first of
  /// a run is described by `asked`.
  void miss(Outcome const& asked);
  /// The last answers were "no", and one more costs nothing.
  bool is_missing() const { return file_.misses() != 0; }
  void event(std::uint64_t count) { file_.event(count); }
  void safe_point() { file_.safe_point(); }
  bool part_is_due() const { return file_.part_is_due(); }
  /// Like TraceFile.
  void begin_part(Bytes prefix) { file_.begin_part(prefix); }
  /// The process ends orderly after `events` API calls, leaving `unreceived` messages.
  void finish(std::uint64_t events, std::uint64_t unreceived, std::uint32_t hash);
  bool is_open() const { return file_.is_open(); }

 private:
  void end_misses();
  void write(Outcome const& outcome);

  TraceFile file_;
  Encoder encoder_;
  std::uint32_t encoder_frame_ = 0;
  Outcome run_;  ///< the open run of misses
};

}  // namespace earl::trace
