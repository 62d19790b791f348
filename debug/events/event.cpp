// SPDX-License-Identifier: BSD-3-Clause
#include "debug/events/event.hpp"

#include <fmt/format.h>

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

namespace {

/// "tag 5", "tags 5 or 6", "tags 5, 6 or 7".
template <class Number>
std::string list_text(std::string_view one, std::vector<Number> const& numbers) {
  std::string text{one};
  if (numbers.size() > 1) text += 's';
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    auto const between = i == 0 ? " " : i + 1 < numbers.size() ? ", " : " or ";
    text += fmt::format("{}{}", between, static_cast<std::int32_t>(numbers[i]));
  }
  return text;
}

/// Replaces the part of a text at `begin` up to its next comma.
void replace_part(std::string& text, std::size_t begin, std::string const& part) {
  text.replace(begin, std::min(text.find(", ", begin), text.size()) - begin, part);
}

}  // namespace

std::string Filter::to_text(std::string_view label) const {
  auto text = earl::to_text(Selector{.source = source,
                                     .kind = kind,
                                     .low = low,
                                     .high = high,
                                     .bits = bits,
                                     .context = context,
                                     .any_context = any_context},
                            label);
  // A Selector has lists as hashes only.
  if (!tags.empty()) replace_part(text, text.find(", ") + 2, list_text("tag", tags));
  if (!sources.empty()) replace_part(text, 0, list_text("source", sources));
  return text;
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
