// SPDX-License-Identifier: BSD-3-Clause
#include "debug/analyse/load.hpp"

#include "debug/events/reader.hpp"
#include "debug/events/writer.hpp"
#include "generic/base/error.hpp"

namespace earl::analyse {

History load_history(std::string const& folder) {
  auto const ranks = events::ranks_with_events(folder);
  if (ranks.empty())
    throw Error("{} holds no events: `earl run --tool events=DIR` or a replay writes them", folder);
  std::vector<Source> sources(static_cast<std::size_t>(*ranks.rbegin()) + 1);
  std::uint32_t initial = 0;
  trace::RunId run;
  for (auto const rank : ranks) {
    auto reader = std::make_shared<events::EventReader>(events::events_path(folder, Rank{rank}));
    if (initial != 0 && reader->run() != run)
      throw Error("the events in {} are of two runs: remove its files e*.ert", folder);
    initial = reader->initial();
    run = reader->run();
    sources[static_cast<std::size_t>(rank)] = [reader](events::Event& event) {
      return reader->next(event);
    };
  }
  return read_history(std::move(sources), initial);
}

}  // namespace earl::analyse
