// SPDX-License-Identifier: BSD-3-Clause
#include "debug/explore/checkpoint.hpp"

#include <algorithm>

namespace earl::explore {

using trace::Path;
using trace::PathStep;

namespace {

auto place_for(auto& places, PathStep const& step) {
  return std::ranges::find_if(places, [&](PathStep const& place) {
    return place.rank == step.rank && place.of == step.of;
  });
}

}  // namespace

Path first_steps(std::span<Path const* const> paths) {
  Path first;
  for (auto const* const path : paths)
    for (auto const& step : *path) {
      auto const place = place_for(first, step);
      if (place == first.end())
        first.push_back({.rank = step.rank,
                         .number = step.number,
                         .of = step.of,
                         .answer = step.of == PathStep::Of::question ? PathStep::Answer::yes
                                                                     : PathStep::Answer::none});
      else
        place->number = std::min(place->number, step.number);
    }
  return first;
}

bool is_behind(Path const& path, Path const& places) {
  return std::ranges::all_of(path, [&](PathStep const& step) {
    auto const place = place_for(places, step);
    return place != places.end() && place->number <= step.number;
  });
}

}  // namespace earl::explore
