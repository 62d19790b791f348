// SPDX-License-Identifier: BSD-3-Clause
#include "exec/launcher/commands/json_output.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

namespace earl::exec {

void print_json(nlohmann::json const& value) {
  fmt::print("{}\n", value.dump(2, ' ', false, nlohmann::json::error_handler_t::replace));
}

}  // namespace earl::exec
