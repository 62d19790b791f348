// SPDX-License-Identifier: BSD-3-Clause
#include "debug/deadlock/graph.hpp"

#include <algorithm>
#include <deque>

namespace earl::deadlock {

namespace {

constexpr std::size_t unseen = static_cast<std::size_t>(-1);

/// Lets every process go on that can, until none is left that could: signal reduction.
class Reduction {
 public:
  explicit Reduction(std::span<Node const> nodes)
      : nodes_(nodes), free_(nodes.size(), false), open_(nodes.size(), 0), met_(nodes.size()) {
    waiters_.resize(nodes.size());
    for (std::size_t i = 0; i < nodes.size(); ++i) {
      open_[i] = nodes[i].needs.size();
      met_[i].assign(nodes[i].needs.size(), false);
      for (std::size_t k = 0; k < nodes[i].needs.size(); ++k) {
        for (auto const giver : nodes[i].needs[k].from) waiters_[giver].push_back({i, k});
        if (nodes[i].needs[k].any_process) any_process_.push_back({i, k});
      }
      if (nodes[i].running || (nodes[i].all && nodes[i].needs.empty())) release(i);
    }
    run();
  }

  std::vector<std::size_t> stuck() const {
    std::vector<std::size_t> left;
    for (std::size_t i = 0; i < nodes_.size(); ++i)
      if (!free_[i]) left.push_back(i);
    return left;
  }

 private:
  struct Place {
    std::size_t node;
    std::size_t need;
  };

  void release(std::size_t node) {
    if (free_[node]) return;
    free_[node] = true;
    ready_.push_back(node);
  }

  void meet(Place const& place) {
    if (met_[place.node][place.need]) return;
    met_[place.node][place.need] = true;
    if (--open_[place.node] == 0 || !nodes_[place.node].all) release(place.node);
  }

  void run() {
    while (!ready_.empty()) {
      auto const node = ready_.front();
      ready_.pop_front();
      for (auto const& place : waiters_[node]) meet(place);
      // A node that can move satisfies every process that waits for any other one: all of those are
      // free.
      for (auto const& place : any_process_) meet(place);
      any_process_.clear();
    }
  }

  std::span<Node const> nodes_;
  std::vector<bool> free_;
  std::vector<std::size_t> open_;  ///< needs not met, by node
  std::vector<std::vector<bool>> met_;
  std::vector<std::vector<Place>> waiters_;  ///< by the node that is waited for
  std::vector<Place> any_process_;
  std::deque<std::size_t> ready_;
};

/// The strongly connected components of the stuck nodes (Tarjan's algorithm without recursion:
/// there may be many thousand). One more node, the hub, stands for "any process": all nodes that
/// wait for any process point to it, and it points to all.
class Components {
 public:
  Components(std::span<Node const> nodes, std::vector<std::size_t> const& stuck)
      : hub_(stuck.size()), arcs_(stuck.size() + 1), seen_(stuck.size() + 1, unseen) {
    std::vector<std::size_t> place(nodes.size(), unseen);
    for (std::size_t i = 0; i < stuck.size(); ++i) place[stuck[i]] = i;
    for (std::size_t i = 0; i < stuck.size(); ++i) {
      for (auto const& need : nodes[stuck[i]].needs) {
        for (auto const giver : need.from)
          if (place[giver] != unseen) arcs_[i].push_back(place[giver]);
        if (need.any_process) arcs_[i].push_back(hub_);
        wanted_ = wanted_ || need.any_process;
      }
      arcs_[hub_].push_back(i);
    }
    low_ = seen_;
    component_ = seen_;
    for (std::size_t i = 0; i <= hub_; ++i)
      if (seen_[i] == unseen) visit(i);
  }

  /// The smallest component that no arc leaves; without the hub.
  std::vector<std::size_t> cause() const {
    std::vector<std::vector<std::size_t>> members(count_);
    std::vector<bool> leaves(count_, false);
    for (std::size_t i = 0; i <= hub_; ++i) {
      if (i != hub_) members[component_[i]].push_back(i);
      for (auto const to : arcs_[i])
        if (component_[to] != component_[i] && (i != hub_ || wanted_)) leaves[component_[i]] = true;
    }
    std::vector<std::size_t> const* best = nullptr;
    for (std::size_t c = 0; c < count_; ++c)
      if (!leaves[c] && !members[c].empty() &&
          (!best || members[c].size() < best->size() ||
           (members[c].size() == best->size() && members[c].front() < best->front())))
        best = &members[c];
    return best ? *best : std::vector<std::size_t>{};
  }

  /// A shortest cycle among `members`.
  std::vector<std::size_t> cycle(std::vector<std::size_t> const& members) const {
    std::vector<std::size_t> best;
    // From each member in turn where that is cheap; else from the first.
    auto const starts = members.size() <= 512 ? members.size() : std::size_t{1};
    for (std::size_t i = 0; i < starts; ++i) {
      auto found = around(members[i]);
      if (!found.empty() && (best.empty() || found.size() < best.size())) best = std::move(found);
      if (best.size() == 1) break;
    }
    return best;
  }

 private:
  void visit(std::size_t root) {
    struct Step {
      std::size_t node;
      std::size_t next;
    };
    std::vector<Step> path{{root, 0}};
    enter(root);
    while (!path.empty()) {
      auto& [node, next] = path.back();
      if (next < arcs_[node].size()) {
        auto const to = arcs_[node][next++];
        if (seen_[to] == unseen) {
          enter(to);
          path.push_back({to, 0});
        } else if (component_[to] == unseen) {
          low_[node] = std::min(low_[node], seen_[to]);
        }
        continue;
      }
      auto const done = node;
      if (low_[done] == seen_[done]) close(done);
      path.pop_back();
      if (!path.empty()) low_[path.back().node] = std::min(low_[path.back().node], low_[done]);
    }
  }
  void enter(std::size_t node) {
    seen_[node] = low_[node] = visits_++;
    open_.push_back(node);
  }
  void close(std::size_t node) {
    for (;;) {
      auto const member = open_.back();
      open_.pop_back();
      component_[member] = count_;
      if (member == node) break;
    }
    ++count_;
  }

  /// The shortest way from `start` back to it, not over the hub; breadth first.
  std::vector<std::size_t> around(std::size_t start) const {
    std::vector<std::size_t> from(arcs_.size(), unseen);
    std::deque<std::size_t> next{start};
    while (!next.empty()) {
      auto const node = next.front();
      next.pop_front();
      for (auto const to : arcs_[node]) {
        if (to == start) return way(from, start, node);
        if (to == hub_ || from[to] != unseen) continue;
        from[to] = node;
        next.push_back(to);
      }
    }
    return {};
  }
  static std::vector<std::size_t> way(std::vector<std::size_t> const& from, std::size_t start,
                                      std::size_t end) {
    std::vector<std::size_t> nodes;
    for (auto node = end; node != start; node = from[node]) nodes.push_back(node);
    nodes.push_back(start);
    std::ranges::reverse(nodes);
    return nodes;
  }

  std::size_t hub_;
  bool wanted_ = false;  ///< a node waits for any process
  std::vector<std::vector<std::size_t>> arcs_;
  std::vector<std::size_t> seen_;
  std::vector<std::size_t> low_;
  std::vector<std::size_t> component_;
  std::vector<std::size_t> open_;
  std::size_t visits_ = 0;
  std::size_t count_ = 0;
};

}  // namespace

Deadlock find_deadlock(std::span<Node const> nodes) {
  Deadlock found{.stuck = Reduction(nodes).stuck()};
  if (found.stuck.empty()) return found;
  Components const components(nodes, found.stuck);
  found.cause = components.cause();
  found.cycle = components.cycle(found.cause);
  auto const name = [&](std::size_t& place) { place = found.stuck[place]; };
  std::ranges::for_each(found.cause, name);
  std::ranges::for_each(found.cycle, name);
  return found;
}

}  // namespace earl::deadlock
