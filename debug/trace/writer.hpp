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
    if (file_.takes_byte() && encoder_.take_expected(received)) [[likely]]
      return file_.commit_byte(static_cast<std::byte>(number(received.id.source)));
    put(outcome_of(received));
  }
  /// The same for one of any source, in call `event` at `site`; false: put() must do it.
  bool put_expected(std::uint32_t site, std::uint64_t event, Receipt const& receipt) {
    if (!file_.takes_byte() || !encoder_.take_expected(site, event, receipt)) [[unlikely]]
      return false;
    file_.commit_byte(static_cast<std::byte>(number(receipt.id.source)));
    return true;
  }
  /// One more answer "no"; a run of them becomes one record when anything else is put. The first of
  /// a run is described by `asked`.
  void miss(Outcome const& asked);
  /// The last answers were "no", and one more costs nothing.
  bool is_missing() const { return file_.misses() != 0; }
  void event(std::uint64_t count) { file_.event(count); }
  std::uint64_t events() const { return file_.events(); }
  void safe_point() { file_.safe_point(); }
  bool part_is_due() const { return file_.part_is_due(); }
  /// Like TraceFile.
  void begin_part(Bytes prefix) { file_.begin_part(prefix); }
  /// The process ends orderly after `events` API calls, leaving `unreceived` messages.
  void finish(std::uint64_t events, std::uint64_t unreceived, std::uint32_t hash);
  bool is_open() const { return file_.is_open(); }
  /// Like TraceFile.
  void continue_in(std::string path) { file_.continue_in(std::move(path)); }

 private:
  void end_misses();
  void write(Outcome const& outcome);

  TraceFile file_;
  Encoder encoder_;
  std::uint32_t encoder_frame_ = 0;
  Outcome run_;  ///< the open run of misses
};

}  // namespace earl::trace
