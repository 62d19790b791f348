// SPDX-License-Identifier: BSD-3-Clause
#include "exec/launcher/hosts/host_facts.hpp"

#include <unistd.h>

#include <chrono>

#include "generic/base/values.hpp"
#include "generic/system/host_name.hpp"
#include "generic/system/processors.hpp"

namespace earl::exec {

namespace {

/// The difference between the time of day and the clock of programs.
std::uint64_t clock_origin() {
  auto const day = std::chrono::system_clock::now().time_since_epoch();
  auto const origin =
      std::chrono::duration_cast<std::chrono::nanoseconds>(day) -
      std::chrono::duration_cast<std::chrono::nanoseconds>(Clock::now().time_since_epoch());
  return static_cast<std::uint64_t>(origin.count());
}

}  // namespace

HostFacts facts_of_this_host() {
  auto const name = host_name();
  return {.name = name.empty() ? "localhost" : name,
          .processors = usable_processors(),
          .clock_origin = clock_origin()};
}

}  // namespace earl::exec
