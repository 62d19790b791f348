// SPDX-License-Identifier: BSD-3-Clause
/// One rank's connection to all others in the shared process: it puts packets into their mailboxes.
#pragma once

#include <memory>
#include <unordered_map>

#include "backends/fibers/boards.hpp"
#include "backends/fibers/common_memory.hpp"
#include "backends/fibers/scheduler.hpp"
#include "generic/seams/port.hpp"

namespace earl::fibers {

/// Long messages that wait for their receivers, of all ranks.
class Exposures {
 public:
  struct One {
    Bytes bytes{};
    Buffer own{};  ///< once copied
    Rank sender{};
    bool read = false;
  };

  std::uint64_t add(Rank sender, Bytes bytes);
  /// Null: forgotten.
  One* find(std::uint64_t name);
  void remove(std::uint64_t name) { open_.erase(name); }
  /// Nothing of `sender` is read any more.
  void remove_all_of(Rank sender) {
    std::erase_if(open_, [&](auto const& one) { return one.second.sender == sender; });
  }
  /// The offers whose bytes were in the memory of `sender`, which has ended.
  void remove_copied_of(Rank sender) {
    std::erase_if(open_, [&](auto const& one) {
      return one.second.sender == sender && one.second.own.empty();
    });
  }

 private:
  std::unordered_map<std::uint64_t, One> open_;
  std::uint64_t last_ = 0;
};

class FiberPort final : public Port, public FiberBoards {
 public:
  FiberPort(Scheduler& scheduler, Exposures& exposures, BoardTable& boards, CommonMemory& common,
            Rank me);

  Limits limits() const override;
  bool put(Rank to, Header const& header, Gather const& payload) override;
  bool keep(Rank to, Header const& header, Gather const& payload) override;
  std::size_t poll(PacketSink& sink) override;
  void wait(Deadline deadline) override;
  Deadline now() override { return scheduler_.clock().read(); }
  Deadline noted_time() const override { return scheduler_.clock().now(); }
  void wake() override;
  Remote expose(TransferId transfer, Bytes bytes) override;
  bool copy_exposed(Remote const& remote) override;
  bool claimed(Remote const& remote) override;
  void unexpose(Remote const& remote) override;
  Pulled pull(Rank from, Offer const& offer, Scatter const& to) override;
  std::shared_ptr<std::byte> common_memory(std::uint64_t key, std::size_t size) override {
    return common_.get(key, size);
  }
  bool ended(Rank rank) override { return scheduler_.mailbox(rank).ended; }
  std::optional<std::uint64_t> clock_reads() const override {
    return mine_.owner ? mine_.owner->clock_reads : 0;
  }

 private:
  Mailbox& mailbox(Rank to);
  void remove(Rank rank);
  void deliver(Mailbox& box, Header const& header, Gather const& payload);
  Scheduler& scheduler_;
  Exposures& exposures_;
  CommonMemory& common_;
  Rank const me_;
  Mailbox& mine_;
  PacketSink* sink_ = nullptr;  ///< that polls
  Rank last_to_ = no_rank;      ///< and its mailbox: mostly the next packet goes there, too
  Mailbox* last_box_ = nullptr;
  bool force_next_put_ = false;  ///< put() had no room, so others run first
};

/// Notifies all ranks that have exchanged packets with `rank` of its end.
void mark_ended(Scheduler& scheduler, Rank rank);

}  // namespace earl::fibers
