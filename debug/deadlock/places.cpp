// SPDX-License-Identifier: BSD-3-Clause
#include "debug/deadlock/places.hpp"

#include "debug/symbols/modules.hpp"

namespace earl::deadlock {

std::string Places::in_words(Frame const& frame) {
  auto const& [line, function] = known(frame);
  return function.empty() ? line : function + " at " + line;
}

Places::Place const& Places::known(Frame const& frame) {
  auto const [place, fresh] = known_.try_emplace({frame.module, frame.offset});
  if (fresh)
    place->second = {.line = trace::line_of(frame.module, frame.offset),
                     .function = trace::function_of(frame.module, frame.offset)};
  return place->second;
}

}  // namespace earl::deadlock
