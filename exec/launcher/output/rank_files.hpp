// SPDX-License-Identifier: BSD-3-Clause
/// Where processes print to when --output-dir is given: one file per process and stream.
#pragma once

#include <string>
#include <string_view>

#include "generic/base/values.hpp"
#include "generic/system/descriptor.hpp"

namespace earl::exec {

/// Makes the folder, with those above it. Throws UsageError.
void make_output_folder(std::string const& folder);

/// `folder`/rank3.out, empty, to be appended to. Throws Error.
Descriptor open_rank_file(std::string const& folder, Rank rank, std::string_view stream);

/// Whether the disk that holds it has no room left, so that output may be missing.
bool is_full(std::string const& folder);

}  // namespace earl::exec
