// SPDX-License-Identifier: BSD-3-Clause
/// A run in the formats of other programs.
#pragma once

#include <cstdint>
#include <string>

namespace earl::analyse {

enum class ExportFormat : std::uint8_t {
  csv,       ///< one line for each send and each receive
  paje,      ///< the text that pajeng and ViTE read
  perfetto,  ///< the JSON trace events that ui.perfetto.dev and chrome://tracing read
};

/// Writes the run whose events are in `folder` to `file` (-: standard output). `timed`: its events
/// have times of the machine; otherwise logical time counts instead. Throws Error.
void export_run(std::string const& folder, std::string const& file, ExportFormat format,
                bool timed);

}  // namespace earl::analyse
