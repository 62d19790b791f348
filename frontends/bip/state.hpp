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
#include "frontends/bip/sends.hpp"
#include "frontends/common/peers.hpp"
#include "generic/process.hpp"

namespace earl::bip {

static_assert(most_tags == BIP_NTAGS);

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

  /// After init().
  Sends& sends() { return *sends_; }

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
  MutableBytes mutable_bytes(int* buf, int maxlength) const {
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
  Completion receive(MatchSpec const& spec, MutableBytes room);
  Message take(MatchSpec const& spec);

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
  void check_configuration();
  void check_by_hand(Configuration const& configuration, int nodes) const;
  void exchange_sizes();

  Process& process_;
  Options options_;
  int me_ = 0;
  std::optional<Peers> peers_{};
  std::optional<Queues> queues_{};
  std::vector<QueueSize> own_sizes_{};
  std::array<Queue, most_tags> queues_here_{};
  std::optional<Sends> sends_{};
  std::uint32_t receives_started_ = 0;
  std::recursive_mutex turn_{};  ///< taken where the system process has threads
  bool several_ = false;         ///< known to be so
  bool end_watched_ = false;
};

State& state_of(Process& process);

}  // namespace earl::bip
