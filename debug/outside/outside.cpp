// SPDX-License-Identifier: BSD-3-Clause
#include "debug/outside/outside.hpp"

#include <algorithm>

#include "debug/outside/adapter.hpp"
#include "debug/outside/library.hpp"

namespace earl {

namespace {

std::unique_ptr<Interceptor> in_process(std::string_view argument, DebuggedProcess& process) {
  // A path has no colon: EXEC has seen to that.
  auto const colon = std::min(argument.find(':'), argument.size());
  const std::string path{argument.substr(0, colon)};
  const std::string rest{colon < argument.size() ? argument.substr(colon + 1) : std::string_view{}};
  return std::make_unique<outside::Adapter>(outside::load(path), path, rest, process);
}

}  // namespace

constinit Tool const outside_tool{.name = "outside",
                                  .summary = "a shared library of the user's own",
                                  .in_process = in_process,
                                  .in_exec = nullptr};

}  // namespace earl
