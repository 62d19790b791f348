// SPDX-License-Identifier: BSD-3-Clause
/// Where this Earl's own files are: in a build tree or installed, found from the running program.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace earl::exec {

struct Layout {
  bool build_tree = false;
  std::string commands;                ///< the folder of earl, earlcc, earlfc
  std::string core;                    ///< the folder of libearl.so
  std::string settings{};              ///< the host's configuration file, there or not
  std::vector<std::string> libraries;  ///< directories that go first into LD_LIBRARY_PATH

  /// The folder of a front end's libraries, and of its headers.
  std::string libraries_of(std::string_view front_end) const;
  std::string headers_of(std::string_view front_end) const;
  /// The directory of earl/tool.h, for -I.
  std::string tool_headers() const;
};

/// Throws Error when libearl.so is not where this program expects it.
Layout find_layout();

}  // namespace earl::exec
