// SPDX-License-Identifier: BSD-3-Clause
#include "debug/events/event.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "generic/message/selector.hpp"

namespace earl::events {

bool Filter::accepts(std::int32_t from, std::int32_t tag, std::uint64_t in) const {
  bool const here = any_context ? space_of(Context{in}) == Space::user : in == context;
  if (!here) return false;
  bool const named = sources.empty() ? source == number(any_rank) || source == from
                                     : std::ranges::count(sources, from) != 0;
  const TagMatch match{.kind = kind, .low = low, .high = high, .bits = bits, .tags = tags};
  return named && match.accepts(Tag{tag});
}

std::string Filter::to_text(std::string_view label) const {
  if (!sources.empty() || !tags.empty())
    return fmt::format("sources {}, {} tags", fmt::join(sources, " "),
                       tags.empty() ? "any" : std::to_string(tags.size()));
  return earl::to_text(Selector{.source = source,
                                .kind = kind,
                                .low = low,
                                .high = high,
                                .bits = bits,
                                .context = context,
                                .any_context = any_context},
                       label);
}

Filter filter_of(ReceiveOp const& op) {
  auto const& spec = op.program_spec();
  Filter filter{.source = number(spec.source),
                .kind = spec.tag.kind,
                .low = spec.tag.low,
                .high = spec.tag.high,
                .bits = spec.tag.bits,
                .tags = {spec.tag.tags.begin(), spec.tag.tags.end()},
                .context = spec.any_user_context ? 0 : static_cast<std::uint64_t>(spec.context),
                .any_context = spec.any_user_context,
                .contested = op.contested};
  for (auto const rank : spec.sources) filter.sources.push_back(number(rank));
  return filter;
}

}  // namespace earl::events
