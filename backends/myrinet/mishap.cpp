#include "backends/myrinet/mishap.hpp"

#include <cstdlib>
#include <optional>
#include <string_view>

#include "generic/error.hpp"
#include "generic/number.hpp"

namespace earl::myrinet {

namespace {

std::optional<Mishap::Kind> kind_of(std::string_view word) {
  if (word == "flip") return Mishap::Kind::flip;
  if (word == "lose") return Mishap::Kind::lose;
  if (word == "route") return Mishap::Kind::route;
  if (word == "cut") return Mishap::Kind::cut;
  return {};
}

/// What is before the next colon; takes it away.
std::string_view next_word(std::string_view& words) {
  auto const colon = words.find(':');
  auto const word = words.substr(0, colon);
  words.remove_prefix(colon == words.npos ? words.size() : colon + 1);
  return word;
}

}  // namespace

Mishap Mishap::from_environment() {
  char const* const text = std::getenv("EARL_MYRINET_FAULT");
  if (!text || !*text) return {};
  std::string_view words = text;
  auto const kind = kind_of(next_word(words));
  auto const rank = number_from<std::int32_t>(next_word(words)).value_or(-1);
  auto const packet = number_from<std::int64_t>(words).value_or(-1);
  if (!kind || rank < 0 || packet < 0)
    throw Error(
        "EARL_MYRINET_FAULT is \"{}\"; it can be flip, lose, route or cut, then :RANK:PACKET",
        text);
  return {.kind = *kind, .sender = Rank{rank}, .packet = static_cast<std::uint64_t>(packet)};
}

}  // namespace earl::myrinet
