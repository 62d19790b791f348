// SPDX-License-Identifier: BSD-3-Clause
/// Links of one process to itself, whose cables a test controls.
#pragma once

#include <deque>
#include <vector>

#include "backends/net/link.hpp"

namespace earl::net::test {

/// The frames on their way between processes.
struct Cables {
  struct Frame {
    Rank from{};
    std::vector<std::byte> bytes{};
  };
  explicit Cables(std::size_t processes) : towards(processes) {}

  std::vector<std::deque<Frame>> towards;  ///< by rank
  std::size_t room = 1000;                 ///< frames towards each
  std::vector<Rank> down{};
};

class FakeLink final : public Link {
 public:
  FakeLink(Cables& cables, Rank me, LinkFacts facts = {.frame = 4096})
      : cables_(cables), me_(me), facts_(facts) {}

  LinkFacts facts() const override { return facts_; }
  bool send(Rank to, Gather const& frame) override {
    auto& queue = cables_.towards[index(to)];
    if (queue.size() >= cables_.room) return false;
    std::vector<std::byte> bytes(frame.size());
    copy(frame, MutableBytes{bytes});
    queue.push_back({me_, std::move(bytes)});
    return true;
  }
  std::size_t progress(FrameSink& sink, std::size_t most) override {
    auto& queue = cables_.towards[index(me_)];
    std::size_t reported = 0;
    for (; reported < most && !queue.empty(); ++reported) {
      auto const frame = std::move(queue.front());
      queue.pop_front();
      sink.frame(frame.from, frame.bytes);
    }
    return reported;
  }
  bool is_down(Rank peer) override {
    for (auto const rank : cables_.down)
      if (rank == peer) return true;
    return false;
  }
  bool ready() override { return !cables_.towards[index(me_)].empty(); }
  void sleep(Deadline) override {}
  void wake() override {}
  std::string route_description(Rank) const override { return "by hand"; }

 private:
  Cables& cables_;
  Rank const me_;
  LinkFacts const facts_;
};

}  // namespace earl::net::test
