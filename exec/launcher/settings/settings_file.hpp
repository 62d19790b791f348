// SPDX-License-Identifier: BSD-3-Clause
/// Configuration files: lines `key = value`; a line that begins with # says nothing.
#pragma once

#include <string>
#include <vector>

#include "exec/launcher/layout.hpp"
#include "exec/launcher/settings/settings.hpp"

namespace earl::exec {

struct SettingsFile {
  std::string path;
  bool read = false;      ///< it was there
  std::string refusal{};  ///< a sentence, when it was there and is not to be trusted
};

/// Puts a file's lines over `settings`. One that is not there changes nothing. Throws UsageError
/// with file and line when it cannot be read or understood.
SettingsFile put_file(Settings& settings, std::string const& path);

/// The same for a file that lies wherever the user happens to be: it counts when it belongs to the
/// user or to root, and no other user can write it.
SettingsFile put_project_file(Settings& settings, std::string const& path);

struct Configuration {
  Settings settings{};
  std::vector<SettingsFile> files{};  ///< in the order they were looked for
};

/// Everything below the command line: the host's file, the user's, the project's (./.earl), the
/// environment. EARL_CONFIG names one file to read instead of the three. Throws UsageError.
Configuration read_configuration(Layout const& layout);

}  // namespace earl::exec
