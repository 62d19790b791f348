// SPDX-License-Identifier: BSD-3-Clause
#include "debug/analyse/load.hpp"

#include <utility>

#include "debug/events/reader.hpp"
#include "debug/events/writer.hpp"
#include "debug/trace/meta.hpp"
#include "generic/base/error.hpp"

namespace earl::analyse {

Events open_events(std::string const& folder) {
  auto const ranks = events::ranks_with_events(folder);
  if (ranks.empty())
    throw Error("{} holds no events: `earl run --tool events=DIR` or a replay writes them", folder);
  Events all;
  all.sources.resize(static_cast<std::size_t>(*ranks.rbegin()) + 1);
  trace::RunId run;
  for (auto const rank : ranks) {
    if (trace::lacks_header(events::events_path(folder, Rank{rank}))) continue;
    auto reader = std::make_shared<events::EventReader>(events::events_path(folder, Rank{rank}));
    if (all.initial != 0 && reader->run() != run)
      throw Error("the events in {} are of two runs: remove its files e*.ert", folder);
    all.initial = reader->initial();
    run = reader->run();
    all.sources[static_cast<std::size_t>(rank)] = [reader](events::Event& event) {
      return reader->next(event);
    };
  }
  if (all.initial == 0) throw Error("{} holds no events: each process was killed at once", folder);
  return all;
}

History load_history(std::string const& folder) {
  auto all = open_events(folder);
  auto history = read_history(std::move(all.sources), all.initial);
  if (auto end = trace::read_end(folder)) {
    history.deadlock = std::move(end->standstill);
    history.waits = std::move(end->waits);
  }
  return history;
}

}  // namespace earl::analyse
