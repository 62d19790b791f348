// SPDX-License-Identifier: BSD-3-Clause
/// meta.json: the recorded command and job. EXEC writes it before the first process starts.
#pragma once

#include <optional>
#include <set>
#include <string>
#include <vector>

#include "debug/trace/layout.hpp"
#include "generic/seams/standstill_judge.hpp"
#include "generic/seams/tool.hpp"

namespace earl::trace {

struct Meta {
  JobInfo job{};
  std::string folder;   ///< working directory
  std::string version;  ///< of Earl
  RunId run{};
  bool minimal = false;                ///< outcomes are left out that a replay need not know
  std::uint64_t keep = 0;              ///< bytes of each process's record; 0: all
  std::vector<std::string> programs;   ///< absolute paths, as far as they are known
  std::vector<std::string> build_ids;  ///< of each; empty: it has none
};

/// A fresh one, drawn by the kernel.
RunId new_run_id();
std::string to_text(RunId const& run);

/// Notes the programs of the job and their build-ids.
void note_programs(Meta& meta);

/// Makes the directory and writes the file into it, whole or not at all. Other content of the
/// directory is left alone. Throws Error.
void create_recording(std::string const& folder, Meta const& meta);

/// The end of the recorded run, as EXEC saw it; written when it has ended.
struct RunEnd {
  int exit_code = 0;
  /// The report of a job that EXEC ended because no process could continue; empty: it did not.
  std::string standstill{};
  /// In that case; empty, too, when a version of Earl recorded it that did not note them.
  std::vector<KnownWait> waits{};
  /// The process whose failure ended the job, if it reported that.
  std::optional<std::int32_t> failed{};
  std::string why{};  ///< its report
};

void write_end(std::string const& folder, RunEnd const& end);
/// Null: EXEC was killed before it wrote the end, or the file is damaged.
std::optional<RunEnd> read_end(std::string const& folder);

/// Throws Error with one sentence when `folder` is not a recording.
Meta read_meta(std::string const& folder);

/// A process whose record's beginning has been dropped (--keep), and its first call that is kept.
struct DroppedBeginning {
  std::int32_t rank = 0;
  std::uint64_t first_event = 0;
};
/// The first such process of the recording `folder`; null: all is there. Never throws.
std::optional<DroppedBeginning> dropped_beginning(std::string const& folder, Meta const& meta);

/// The ranks that have a file in the recording `folder`, and those that should.
std::set<std::int32_t> ranks_in(std::string const& folder, Meta const& meta);

}  // namespace earl::trace
