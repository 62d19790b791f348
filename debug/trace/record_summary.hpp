// SPDX-License-Identifier: BSD-3-Clause
/// One file of a recording, read from its beginning to its end and counted.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "debug/trace/describe.hpp"
#include "debug/trace/reader.hpp"

namespace earl::trace {

struct Totals {
  std::uint64_t receives = 0;   ///< whose outcome is there
  std::uint64_t free = 0;       ///< of a minimal recording: wildcard receives without an outcome
  std::uint64_t completed = 0;  ///< likewise: receives of any kind, in the whole frames
  std::uint64_t looks = 0;      ///< probes, tries and tests that said yes
  std::uint64_t misses = 0;
  std::uint64_t clocks = 0;
  std::uint64_t served = 0;
  std::uint64_t input = 0;  ///< bytes
  std::uint64_t last_event = 0;
  std::uint32_t last_site = no_site;

  void count(Outcome const& outcome);
};

class RecordSummary {
 public:
  /// `was_quiescent`: EXEC ended the job because no process could continue. Throws as TraceReader
  /// does.
  RecordSummary(std::string const& path, bool was_quiescent)
      : reader_(path), was_quiescent_(was_quiescent) {}

  /// Reads the file, once; `line` gets each outcome as text.
  void read(std::function<void(std::string const&)> const& line);

  TraceReader const& file() const { return reader_; }
  // Once it has been read:
  Totals const& totals() const { return totals_; }
  /// Whether it is complete, and where and why it ends if not.
  std::string ending_text();

 private:
  std::string cut_text();

  TraceReader reader_;
  bool was_quiescent_;
  Describer describer_;
  Totals totals_;
};

}  // namespace earl::trace
