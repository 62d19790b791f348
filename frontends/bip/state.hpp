// SPDX-License-Identifier: BSD-3-Clause
/// BIP's state of one process beside the core.
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <mutex>
#include <optional>
#include <vector>

#include "frontends/bip/configuration.hpp"
#include "frontends/bip/include/bip.h"
#include "frontends/bip/options.hpp"
#include "frontends/bip/queues.hpp"
#include "frontends/common/peers.hpp"
#include "generic/process.hpp"

namespace earl::bip {

static_assert(most_tags == BIP_NTAGS);
inline constexpr std::size_t word = 4;
/// Set in the ids of receives, never in those of sends.
inline constexpr std::uint32_t receive_bit = std::uint32_t{1} << 30;

/// A message as a send call describes it.
struct Outgoing {
  int dst = 0, tag = 0;
  int const* buf = nullptr;
  int length = 0;  ///< words
};

/// A send that is not complete: a long one, or a short one for which there was no room.
struct OpenSend {
  int id = 0;
  Outgoing what{};
  RequestId request = no_request;  ///< no_request: it waits for room
  std::int64_t began = 0;          ///< where long messages are dropped
  std::uint64_t checksum = 0;      ///< where buffers are checked
};

/// Sends to one queue that wait for room, oldest first, and the receive posted for news of it.
struct Stuck {
  int dst = 0, tag = 0;
  RequestId news = no_request;
  std::vector<int> ids{};
};

/// One receive queue of this node.
struct Queue {
  RequestId posted = no_request;
  int posted_id = -1;
  std::size_t room = 0;        ///< bytes the posted receive has room for
  std::deque<Message> held{};  ///< got and not freed
};

class State final : public Extension {
 public:
  explicit State(Process& process);

  Process& process() { return process_; }
  Options const& options() const { return options_; }
  int me() const { return me_; }
  bool ready() const { return queues_.has_value(); }

  // --- of a process that has several threads (threads.cpp)
  void begin_turn();
  void end_turn() { turn_.unlock(); }
  /// Whether the program has threads, which a wait must not hold up.
  bool several();
  /// Asks until the answer is yes. Meanwhile others have their turns.
  template <class Question>
  auto until(Question const& question) {
    auto answer = question();
    for (unsigned round = 0; !answer; ++round, answer = question()) let_others(round);
    return answer;
  }

  // --- setup
  void size_queue(int tag, int nbufs, int size);
  void init();

  // --- sending
  int start_send(Outgoing const& what);
  /// Whether sends are under way; if not, all are complete.
  bool sends_open() const { return !open_.empty(); }
  /// Waits until it is complete; an id that is not open is.
  void wait_send(int id);
  bool test_send(int id);
  bool issued(int id) const { return 0 <= id && static_cast<std::uint32_t>(id) < sends_; }

  // --- receiving
  Queue& queue(int tag) {
    check_tag(tag);
    return queues_here_[static_cast<std::size_t>(tag)];
  }
  /// E5, E6: no receive is open now.
  Queue& free_queue(int tag) {
    Queue& one = queue(tag);
    if (one.posted != no_request || !one.held.empty()) [[unlikely]]
      refuse(one, tag);
    return one;
  }
  static MatchSpec spec(int tag) { return {.tag = TagMatch::exactly(Tag{tag})}; }
  Room room(int* buf, int maxlength) const {
    check_buffer(buf, maxlength);
    return {reinterpret_cast<std::byte*>(buf), word * static_cast<std::size_t>(maxlength)};
  }
  /// The short message at the head of a queue; null: none, or a long one is.
  std::optional<Found> head(int tag);
  static bool is_long(Envelope const& message) {
    return message.mode == Mode::synchronous || message.length > word * BIPSMALLSIZE;
  }
  /// Takes a received message; returns its length in words and reports the room to its sender. Ends
  /// the job when it was longer than `room` bytes.
  int accept(Completion const& got, std::size_t room, int* node);
  /// Null: there is no such receive under way.
  Queue* find_posted(int id);
  int new_receive_id(int tag);
  /// The queue is free of the message from that node.
  void release(Envelope const& message, int from);
  int number_of(Rank rank) const { return peers_->number_of(rank); }

  // --- waiting, while sends wait for room
  Completion receive(MatchSpec const& spec, Room room);
  Message take(MatchSpec const& spec);
  Completion wait(RequestId request);
  /// Sends the messages that there is room for now.
  void advance();

  /// E2.
  void check_buffer(void const* buf, int length) const {
    bool const aligned = reinterpret_cast<std::uintptr_t>(buf) % word == 0;
    if (length < 0 || !buf || !aligned) [[unlikely]]
      judge_buffer(buf, length);
  }
  static void check_tag(int tag) {
    if (tag < 0 || tag >= most_tags) [[unlikely]]
      refuse_tag(tag);
  }
  /// An error in the strict modes, else nothing.
  template <class... Args>
  void mistake(fmt::format_string<Args...> format, Args&&... args) const {
    if (options_.strict()) throw Error(format, std::forward<Args>(args)...);
  }

 private:
  void let_others(unsigned round);
  void judge_buffer(void const* buf, int length) const;
  [[noreturn]] static void refuse_tag(int tag);
  [[noreturn]] static void refuse(Queue const& queue, int tag);
  int start_unusual(Outgoing const& what, int id);
  void check_configuration();
  void check_by_hand(Configuration const& configuration, int nodes) const;
  void exchange_sizes();
  Stuck* stuck_at(int dst, int tag);
  Envelope envelope(Outgoing const& what, Mode mode) const;
  void put(Outgoing const& what, Mode mode);
  bool take_room(Outgoing const& what);
  void get_stuck(OpenSend const& send);
  void offer(OpenSend& send);
  RequestId await_news(int dst, int tag);
  /// Waits for news of any queue, or for `request`, which is no_request for nothing else; gives its
  /// completion.
  std::optional<Completion> wait_or_news(RequestId request);
  void news(Stuck& stuck, Completion const& got);
  OpenSend* find_send(int id);
  void complete(int id, Completion const& got);
  void retire();

  Process& process_;
  Options options_;
  int me_ = 0;
  std::optional<Peers> peers_{};
  std::optional<Queues> queues_{};
  std::vector<QueueSize> own_sizes_{};
  std::array<Queue, most_tags> queues_here_{};
  std::uint32_t sends_ = 0;  ///< started so far: the next one's id
  std::uint32_t receives_started_ = 0;
  std::vector<OpenSend> open_{};
  std::vector<Stuck> stuck_{};
  std::recursive_mutex turn_{};  ///< taken where the system process has threads
  bool several_ = false;         ///< known to be so
  bool end_watched_ = false;
};

State& state_of(Process& process);

}  // namespace earl::bip
