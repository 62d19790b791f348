// SPDX-License-Identifier: BSD-3-Clause
/// The outcome that comes next if the pattern continues: writer and reader of a trace expect the
/// same.
#pragma once

#include <vector>

#include "debug/trace/outcome.hpp"
#include "debug/trace/varint.hpp"

namespace earl::trace {

/// Events between two hash records.
inline constexpr std::uint64_t hash_every = 256;

/// The step of a number. Programs move it by the same again and again, or so many times
/// by this and so many times by that: in each round a few messages of one type, then of the next.
class Steps {
 public:
  std::int32_t next() const {
    bool const over = now_.length == earlier_.length && now_.step == earlier_.step;
    return over ? before_.step : now_.step;
  }
  void take(std::int32_t step) {
    if (step != now_.step) {
      earlier_ = before_;
      before_ = now_;
      now_ = {.step = step};
    }
    ++now_.length;
  }

 private:
  struct Run {
    std::int32_t step = 0;
    std::uint32_t length = 0;
  };
  Run now_, before_, earlier_;
};

/// The outcomes of this frame so far, and the one that would come next if the pattern continues.
class Predictions {
 public:
  struct Site {
    Selector selector{};
    OpKind kind = OpKind::receive;
    Steps tag_steps{};
    std::int64_t event_step = 0;
    std::int64_t post_step = 0;
    std::uint32_t next = no_site;
    bool known = false;
  };
  struct Channel {
    std::uint64_t last = 0;
    std::int64_t step = 1;
    bool known = false;
  };

  void reset();

  std::uint32_t site() const { return next_site_; }
  OpKind kind(std::uint32_t site) const { return at(site).kind; }
  Selector selector(std::uint32_t site) const;
  std::uint64_t event(std::uint32_t site) const { return moved(event_, at(site).event_step); }
  std::uint64_t post(std::uint32_t site) const { return moved(post_, at(site).post_step); }
  std::uint64_t sequence(Rank source) const;
  std::uint64_t hash_block() const { return hash_block_; }
  std::int64_t clock() const { return clock_; }

  /// The members that the record of such an outcome has.
  static bool has_site(OutcomeKind what);
  static bool has_selector(OutcomeKind what);
  static bool has_post(OutcomeKind what);
  static bool has_id(OutcomeKind what);

  /// Takes in an outcome that was written or read.
  void learn(Outcome const& outcome);
  /// Takes in a receive if it is in all as expected; false: it is not. Inlined: nearly all are.
  bool take(Received const& received) {
    auto const channel = channel_of(received.id.source);
    if (received.site != next_site_ || next_site_ >= sites_.size() || channel >= channels_.size())
      return false;
    Site& here = sites_[next_site_];
    Channel& from = channels_[channel];
    auto const step = here.tag_steps.next();
    Selector selector = here.selector;
    selector.low = sum(selector.low, step);
    bool const expected = here.known && here.kind == OpKind::receive && from.known &&
                          received.id.sequence == moved(from.last, from.step) &&
                          received.event == moved(event_, here.event_step) &&
                          received.post == moved(post_, here.post_step) &&
                          received.selector == selector;
    if (!expected) return false;
    here.selector.low = selector.low;
    here.tag_steps.take(step);
    last_site_ = next_site_;
    next_site_ = here.next;
    event_ = received.event;
    post_ = received.post;
    from.last = received.id.sequence;
    return true;
  }

 private:
  /// The many sources of a long job share slots: each is then predicted less well.
  static std::size_t channel_of(Rank source) {
    return static_cast<std::size_t>(number(source) - number(exec_rank)) % most_channels;
  }
  static constexpr std::size_t most_channels = 1U << 17;
  /// In 32 bits on purpose: a tag that wraps still comes out right.
  static std::int32_t sum(std::int32_t tag, std::int64_t step) {
    return static_cast<std::int32_t>(tag + step);
  }
  Site const& at(std::uint32_t site) const;
  void learn_site(Outcome const& outcome);
  void learn_channel(MessageId const& id);

  std::vector<Site> sites_;
  std::vector<Channel> channels_;  ///< by source + 3, the lowest being exec_rank
  std::uint32_t last_site_ = no_site;
  std::uint32_t next_site_ = 0;  ///< the site that comes next
  std::uint64_t event_ = 0;
  std::uint64_t post_ = 0;
  std::uint64_t hash_block_ = 0;
  std::int64_t clock_ = 0;
};

}  // namespace earl::trace
