// SPDX-License-Identifier: BSD-3-Clause
/// Runs ranks, one at a time, each until it waits. The program and a seed alone decide which rank
/// runs next.
#pragma once

#include <functional>
#include <queue>
#include <random>
#include <unordered_map>
#include <vector>

#include "backends/fibers/clock.hpp"
#include "backends/fibers/mailboxes.hpp"
#include "backends/fibers/rank_fiber.hpp"
#include "backends/fibers/ready.hpp"

namespace earl::fibers {

class Scheduler {
 public:
  using Body = void (*)(RankFiber&);  ///< code of a rank; never returns
  using Ended = std::function<void(RankFiber&)>;

  /// Seed 0: first come, first served. `ended` is called for each end, not on the stack that has
  /// ended.
  Scheduler(std::uint64_t seed, SharedClock::Kind time, Body body, Ended ended);

  SharedClock& clock() { return clock_; }
  Mailbox& mailbox(Rank rank) { return mailboxes_.of(rank); }
  Mailboxes& mailboxes() { return mailboxes_; }
  /// Null: it does not live.
  RankFiber* find(Rank rank);
  std::vector<Rank> living() const;
  RankFiber* current() const { return current_; }
  /// The rank whose memory is accessed: usually the running rank.
  RankFiber* concerned() const { return receiver_ ? receiver_ : current_; }
  /// While it lives, a waiting rank receives the running rank's data.
  class Taking {
   public:
    Taking(Scheduler& scheduler, RankFiber* receiver) : scheduler_(scheduler) {
      scheduler_.receiver_ = receiver;
    }
    ~Taking() { scheduler_.receiver_ = nullptr; }
    Taking(Taking const&) = delete;
    Taking& operator=(Taking const&) = delete;

   private:
    Scheduler& scheduler_;
  };

  void admit(std::unique_ptr<RankFiber> fiber);
  /// It may go on; nothing for one that may already.
  void make_ready(RankFiber& fiber);

  // --- on the running rank's stack
  /// Lets others run until this one is made ready, or the deadline.
  void wait(Deadline deadline);
  /// Lets the others run first.
  void yield();
  /// The running rank is over; nothing of its stack is used again.
  [[noreturn]] void end();

  /// A rank has sent another one a packet.
  void count_packet() { ++traffic_; }
  std::uint64_t traffic() const { return traffic_; }

  /// The rank's timer has been set.
  void set_timer(RankFiber& fiber);

  /// Ends a rank that does not run.
  void end(RankFiber& fiber);

  /// Runs ranks until none is ready, or for a while; see SharedProcess::run().
  Deadline run();
  /// The running rank has gone to its folder itself.
  void moved() { folder_ = current_->folder; }
  /// The running rank's; gives the one before.
  mode_t set_creation_mask(mode_t mask);

 private:
  struct Alarm {
    Deadline when{};
    Rank rank{};
    std::uint64_t turn = 0;  ///< of RankFiber::waits, or of its timer's sets
    bool of_timer = false;
    bool operator>(Alarm const& other) const { return when > other.when; }
  };

  /// The data that a jump passes to its target context.
  struct Jump {
    Scheduler* scheduler;
    RankFiber* from;  ///< null: run()
  };
  /// Per-thread state of the C++ runtime that Earl uses (the Itanium C++ ABI, 2.2.2).
  struct ExceptionState {
    void* exceptions = nullptr;
    unsigned uncaught = 0;
  };

  RankFiber& next();
  std::size_t place_by_seed();
  std::size_t highest();
  void lower(RankFiber& fiber);
  void leave_rank();
  void leave_for_run();
  bool may_switch() const;
  void prepare(RankFiber& fiber);
  void put_away(RankFiber& fiber);
  static void arrive(boost::context::detail::transfer_t from);
  void enter_folder(RankFiber& fiber);
  void enter_creation_mask(RankFiber const& fiber);
  void remove(RankFiber& fiber);
  void ring_alarms();
  void let_time_pass();
  bool is_void(Alarm const& alarm);
  void ring(Alarm const& alarm);
  static void enter(boost::context::detail::transfer_t from);

  std::uint64_t seed_;
  std::mt19937_64 random_;
  /// Priorities are above this at first; one that falls comes below all others.
  static constexpr std::uint64_t first_priority = std::uint64_t{1} << 62;
  std::uint64_t lowest_ = first_priority;
  SharedClock clock_;
  Body body_;
  Ended ended_;
  RankFiber* current_ = nullptr;
  RankFiber* receiver_ = nullptr;                      ///< see Taking
  boost::context::detail::fcontext_t back_ = nullptr;  ///< to run()
  std::shared_ptr<Descriptor const> folder_{};         ///< the process is in
  mode_t creation_mask_ = 0;                           ///< the process has
  mode_t first_creation_mask_ = 0;                     ///< a rank begins with
  ExceptionState* exception_state_ = nullptr;          ///< of this thread
  int turns_left_ = 0;                                 ///< before run() looks for other work
  std::uint64_t traffic_ = 0;
  ReadyQueue<RankFiber> ready_;
  std::priority_queue<Alarm, std::vector<Alarm>, std::greater<>> alarms_;
  Mailboxes mailboxes_;
  std::unordered_map<std::int32_t, std::unique_ptr<RankFiber>> ranks_;  ///< that live, by rank
};

}  // namespace earl::fibers
