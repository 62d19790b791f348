// SPDX-License-Identifier: BSD-3-Clause
/// The records of a recording that are cut.
#pragma once

#include <string>
#include <vector>

#include "generic/base/values.hpp"

namespace earl::replay {

std::vector<Rank> cut_ranks_in(std::string const& folder);

/// One clause that names them ("the records of rank 0 and rank 3 are cut"); empty: all are whole.
/// Reads all files of the recording.
std::string cuts_in(std::string const& folder);

/// Like cuts_in(), of those in which something cannot be read.
std::string damage_in(std::string const& folder);

}  // namespace earl::replay
