// SPDX-License-Identifier: BSD-3-Clause
#include "backends/myrinet/fault_injection.hpp"

#include <cstdlib>
#include <optional>
#include <string_view>

#include "generic/base/error.hpp"
#include "generic/base/number.hpp"

namespace earl::myrinet {

namespace {

/// Limit of packets that may leak: with more, no transfer would ever complete.
constexpr std::int64_t most_percent = 50;

std::optional<FaultInjection::Kind> kind_of(std::string_view word) {
  if (word == "flip") return FaultInjection::Kind::flip;
  if (word == "lose") return FaultInjection::Kind::lose;
  if (word == "route") return FaultInjection::Kind::route;
  if (word == "cut") return FaultInjection::Kind::cut;
  if (word == "leak") return FaultInjection::Kind::leak;
  return {};
}

/// Removes and returns the text before the next colon.
std::string_view next_word(std::string_view& rest) {
  auto const colon = rest.find(':');
  auto const word = rest.substr(0, colon);
  rest.remove_prefix(colon == rest.npos ? rest.size() : colon + 1);
  return word;
}

}  // namespace

FaultInjection FaultInjection::from_environment() {
  char const* const text = std::getenv("EARL_MYRINET_FAULT");
  if (!text || !*text) return {};
  std::string_view rest = text;
  auto const kind = kind_of(next_word(rest));
  auto const first = number_from<std::int32_t>(next_word(rest)).value_or(-1);
  auto const second = number_from<std::int64_t>(rest).value_or(-1);
  bool const leaks = kind == FaultInjection::Kind::leak;
  if (!kind || first < 0 || second < 0 || (leaks && second > most_percent))
    throw Error(
        "EARL_MYRINET_FAULT is \"{}\"; it can be flip, lose, route or cut, then :RANK:PACKET, or "
        "leak:SEED:PERCENT, at most {}",
        text, most_percent);
  auto const number = static_cast<std::uint64_t>(second);
  if (leaks) return {.kind = *kind, .seed = static_cast<std::uint64_t>(first), .percent = number};
  return {.kind = *kind, .sender = Rank{first}, .packet = number};
}

/// SplitMix64 of process and packet number.
bool FaultInjection::leaks(Rank rank, std::uint64_t number) const {
  auto mixed = (seed << 48) + (static_cast<std::uint64_t>(index(rank)) << 32) + number;
  mixed += 0x9e37'79b9'7f4a'7c15;
  mixed = (mixed ^ mixed >> 30) * 0xbf58'476d'1ce4'e5b9;
  mixed = (mixed ^ mixed >> 27) * 0x94d0'49bb'1331'11eb;
  return (mixed ^ mixed >> 31) % 100 < percent;
}

}  // namespace earl::myrinet
