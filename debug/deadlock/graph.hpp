// SPDX-License-Identifier: BSD-3-Clause
/// The wait-for graph of processes, with AND and OR nodes, and why none can continue.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace earl::deadlock {

/// A node of the graph, named by its position in the list given to find_deadlock().
struct Node {
  /// One of these must act; `any_process`: any other node may. Neither: none ever will.
  struct Need {
    std::vector<std::size_t> from{};
    bool any_process = false;
  };

  bool running = false;  ///< it waits for nothing
  bool all = true;       ///< every need must be met; else one is enough
  std::vector<Need> needs{};
};

struct Deadlock {
  /// Nodes that can never continue, ascending; empty: there is no deadlock.
  std::vector<std::size_t> stuck{};
  /// The members that wait for each other and for no other: why the others are stuck. Of
  /// several such sets, the smallest; of equal ones, that with the lowest node. Ascending.
  std::vector<std::size_t> cause{};
  /// A shortest way around among the causes, each waiting for the next and the last for the first;
  /// empty where there is none (a wait for any process, or for a node that no process is).
  std::vector<std::size_t> cycle{};
};

/// Linear in the number of needs, but for the cycle, which is looked for in the cause alone.
Deadlock find_deadlock(std::span<Node const> nodes);

}  // namespace earl::deadlock
