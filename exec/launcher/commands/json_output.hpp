// SPDX-License-Identifier: BSD-3-Clause
/// The JSON that commands print when `--json` is given.
#pragma once

#include <nlohmann/json_fwd.hpp>

namespace earl::exec {

/// Prints `value` on standard output, indented by two. Bytes that are not UTF-8 (a file's own name
/// may have any) are replaced.
void print_json(nlohmann::json const& value);

}  // namespace earl::exec
