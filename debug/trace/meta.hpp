/// meta.json: what a recording is of. Written by EXEC before the first process starts.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "debug/trace/layout.hpp"
#include "generic/tool.hpp"

namespace earl::trace {

struct Meta {
  JobStory story{};
  std::string folder;   ///< working directory
  std::string version;  ///< of Earl
  RunId run{};
  std::vector<std::string> programs;   ///< absolute paths, as far as they are known
  std::vector<std::string> build_ids;  ///< of each; empty: it has none
};

/// A fresh one, drawn by the kernel.
RunId new_run_id();
std::string in_words(RunId const& run);

/// Finds the programs among the words of a command and notes their build-ids.
void note_programs(Meta& meta);

/// Makes the folder and writes it in, whole or not at all. An older recording there is removed;
/// anything else there is left alone. Throws Error.
void create_recording(std::string const& folder, Meta const& meta);

/// Throws Error with one sentence when `folder` is no recording.
Meta read_meta(std::string const& folder);

/// The ranks that have a file in the recording `folder`, and those that should.
std::set<std::int32_t> ranks_in(std::string const& folder, Meta const& meta);

}  // namespace earl::trace
