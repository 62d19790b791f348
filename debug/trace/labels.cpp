// SPDX-License-Identifier: BSD-3-Clause
#include "debug/trace/labels.hpp"

namespace earl::trace {

bool KnownLabels::learn(Outcome const& outcome) {
  if (outcome.what != OutcomeKind::label) return false;
  texts_[static_cast<std::uint64_t>(outcome.value)] = outcome.text;
  return true;
}

std::string_view KnownLabels::of(Selector const& selector) const {
  if (selector.any_context) return {};
  auto const known = texts_.find(selector.context);
  return known == texts_.end() ? std::string_view{} : known->second;
}

}  // namespace earl::trace
