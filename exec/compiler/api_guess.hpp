// SPDX-License-Identifier: BSD-3-Clause
/// The parts of a command line that it does not name: its front end, and C++ in its objects.
#pragma once

#include <string>
#include <vector>

#include "exec/launcher/layout.hpp"

namespace earl::exec {

/// The front end whose header a source among a compiler's arguments includes, else the one whose
/// calls an object or archive among them makes; empty: no file says it.
std::string guess_front_end(std::vector<std::string> const& arguments, Layout const& layout);

/// A sentence for the user when a source among the arguments includes another front end's header
/// and none of `chosen`, which -api has named; empty: none does.
std::string front_end_mismatch(std::vector<std::string> const& arguments, std::string const& chosen,
                               Layout const& layout);

/// An object or archive among the arguments was compiled from C++: it takes names that only the C++
/// runtime has.
bool has_cpp_objects(std::vector<std::string> const& arguments);

}  // namespace earl::exec
