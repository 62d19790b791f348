// SPDX-License-Identifier: BSD-3-Clause
/// A MatchSpec that leaves its process: into a trace, or to EXEC.
#pragma once

#include <cstdint>
#include <string>

#include "generic/message/match_spec.hpp"

namespace earl {

/// A MatchSpec as plain data of fixed size. Lists are distinguished by a hash.
struct Selector {
  std::int32_t source = number(any_rank);
  std::uint32_t sources = 0;  ///< hash of a source list; 0: none
  TagMatch::Kind kind = TagMatch::Kind::any;
  std::int32_t low = 0;  ///< exact and range as in TagMatch; list: how many
  std::int32_t high = 0;
  std::uint32_t bits = 0;  ///< mask: the bits; list: a hash
  std::uint64_t context = 0;
  bool any_context = false;

  bool operator==(Selector const&) const = default;
};

/// The part of selector_of() that only lists need.
[[gnu::cold, gnu::noinline]] void add_lists(Selector& selector, MatchSpec const& spec);

/// Inlined: a recorder comes here with every receive.
inline Selector selector_of(MatchSpec const& spec) {
  Selector selector{.source = number(spec.source),
                    .kind = spec.tag.kind,
                    .low = spec.tag.low,
                    .high = spec.tag.high,
                    .bits = spec.tag.bits,
                    .context = static_cast<std::uint64_t>(spec.context),
                    .any_context = spec.any_user_context};
  if (spec.any_user_context) [[unlikely]]
    selector.context = 0;
  if (!spec.sources.empty() || spec.tag.kind == TagMatch::Kind::list) [[unlikely]]
    add_lists(selector, spec);
  return selector;
}

/// The same for the commonest of specs; like that of NarrowSpec::spec().
inline Selector selector_of(NarrowSpec const& spec) {
  bool const any = spec.tag() == any_tag;
  return {.source = number(spec.source()),
          .kind = any ? TagMatch::Kind::any : TagMatch::Kind::exact,
          .low = any ? 0 : number(spec.tag()),
          .context = static_cast<std::uint64_t>(spec.context())};
}
/// Whether it may be a NarrowSpec's.
constexpr bool is_narrow(Selector const& selector) {
  return (selector.kind == TagMatch::Kind::any || selector.kind == TagMatch::Kind::exact) &&
         selector.sources == 0 && selector.high == 0 && selector.bits == 0 && !selector.any_context;
}

/// The number of a member is its Rank, or not known.
inline constexpr std::int32_t no_number = -1;

/// For people: "any source, tag 7". `context`: the label of its context, in place of the
/// number; `number`: of its source there.
std::string to_text(Selector const& selector, std::string_view context = {},
                    std::int32_t number = no_number);
/// Behind a Rank: " (0 of LABEL)", or nothing.
std::string number_text(std::int32_t number, std::string_view context);

}  // namespace earl
