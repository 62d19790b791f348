// SPDX-License-Identifier: BSD-3-Clause
#include "debug/deadlock/places.hpp"

namespace earl::deadlock {

std::vector<symbols::SourceCall> const& Places::calls(Frame const& frame) {
  auto const [place, fresh] = known_.try_emplace({frame.module, frame.offset});
  if (fresh) place->second = symbols::calls_at(frame.module, frame.offset);
  return place->second;
}

}  // namespace earl::deadlock
