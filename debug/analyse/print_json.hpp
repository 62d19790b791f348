// SPDX-License-Identifier: BSD-3-Clause
/// The JSON that `--json` prints.
#pragma once

#include <nlohmann/json_fwd.hpp>

namespace earl::analyse {

/// On standard output, indented by two. Bytes that are not UTF-8 (of a file's name) are replaced.
void print_json(nlohmann::json const& value);

}  // namespace earl::analyse
