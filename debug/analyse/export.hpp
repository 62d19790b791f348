// SPDX-License-Identifier: BSD-3-Clause
/// A run in the formats of other programs.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace earl::analyse {

enum class ExportFormat : std::uint8_t {
  csv,       ///< one line for each send and each receive
  otf2,      ///< an archive: a directory
  paje,      ///< the text that pajeng and ViTE read
  perfetto,  ///< the JSON trace events that ui.perfetto.dev and chrome://tracing read
};

/// "json": of a file's name.
std::string_view ending_of(ExportFormat format);

/// Writes the run whose events are in `folder` to `file` (-: standard output; an
/// archive needs a new directory). `timed`: its events
/// have times of the hosts; otherwise logical time counts instead. Throws Error.
void export_run(std::string const& folder, std::string const& file, ExportFormat format,
                bool timed);

}  // namespace earl::analyse
