// SPDX-License-Identifier: BSD-3-Clause
#include "generic/system/waiting.hpp"

#include <cstdlib>
#include <string_view>

#include "generic/base/error.hpp"
#include "generic/base/number.hpp"

namespace earl {

namespace {

WaitPolicy::Kind kind_of(std::string_view word) {
  if (word == "auto") return WaitPolicy::Kind::automatic;
  if (word == "spin") return WaitPolicy::Kind::spin;
  if (word == "yield") return WaitPolicy::Kind::yield;
  if (word == "block") return WaitPolicy::Kind::block;
  throw Error("EARL_WAIT is \"{}\"; it can be auto, spin, yield or block", word);
}

constexpr std::uint32_t most = 1'000'000;  ///< a second of spinning: more is a typing error

std::uint32_t count_of(char const* name, std::string_view word) {
  auto const value = number_from<std::uint32_t>(word);
  if (!value || *value > most)
    throw Error("{} is \"{}\"; it must be a number from 0 to {}", name, word, most);
  return *value;
}

}  // namespace

WaitSettings WaitSettings::from_environment() {
  return {.wait = std::getenv("EARL_WAIT"),
          .spin_us = std::getenv("EARL_SPIN_US"),
          .yields = std::getenv("EARL_YIELDS")};
}

WaitPolicy WaitPolicy::from(WaitSettings const& settings, std::uint32_t cpus) {
  WaitPolicy policy;
  policy.cpus = cpus;
  policy.adapts = !settings.spin_us && !settings.yields;
  if (settings.wait) policy.kind = kind_of(settings.wait);
  if (settings.spin_us)
    policy.spin = std::chrono::microseconds{count_of("EARL_SPIN_US", settings.spin_us)};
  if (settings.yields) policy.yields = count_of("EARL_YIELDS", settings.yields);
  return policy;
}

}  // namespace earl
