// SPDX-License-Identifier: BSD-3-Clause
/// Which front end a set of names belongs to: for files that are not linked yet.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "exec/launcher/front_ends.hpp"
#include "exec/launcher/layout.hpp"

namespace earl::exec {

struct CallsOf {
  FrontEnd const* front_end = nullptr;  ///< null: none has any of the names
  std::vector<std::string> calls{};     ///< those of the names that it has, sorted
  std::vector<std::string> stubs{};     ///< those of the calls that are not there yet
};

/// The front end that has most of the names.
CallsOf calls_among(std::set<std::string> const& names, Layout const& layout);

}  // namespace earl::exec
