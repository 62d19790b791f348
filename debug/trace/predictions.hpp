// SPDX-License-Identifier: BSD-3-Clause
/// The outcome that comes next if the pattern continues: writer and reader of a trace expect the
/// same.
#pragma once

#include <bit>
#include <vector>

#include "debug/trace/outcome.hpp"
#include "debug/trace/varint.hpp"

namespace earl::trace {

/// Events between two hash records.
inline constexpr std::uint64_t hash_every = 256;

/// The first byte of a record: below this it is the source of a receive that is in all else as
/// expected; from here on it is an OutcomeKind.
inline constexpr unsigned first_code = 192;

/// The step of a number. Programs move it by the same again and again, or so many times
/// by this and so many times by that: in each round a few messages of one type, then of the next.
class Steps {
 public:
  std::int32_t next() const { return is_over() ? before_.step : now_.step; }
  void take(std::int32_t step) {
    if (step != now_.step) [[unlikely]] {
      earlier_ = before_;
      before_ = now_;
      now_ = {.step = step};
    }
    ++now_.length;
  }
  /// A run is as long as the one before the last: the other step comes next.
  bool is_over() const { return now_ == earlier_; }
  /// While it is not: like next() and take(next()).
  std::int32_t step() const { return now_.step; }
  void go_on() { ++now_.length; }

 private:
  struct Run {
    std::int32_t step = 0;
    std::uint32_t length = 0;

    /// In one comparison.
    bool operator==(Run const& other) const {
      return std::bit_cast<std::uint64_t>(*this) == std::bit_cast<std::uint64_t>(other);
    }
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
    /// The next NarrowSpec of a receive of any source's messages, but for the step of its tag.
    Tag tag{};
    std::uint64_t context = no_context;
  };
  struct Channel {
    std::uint64_t last = unknown;
    std::int64_t step = 1;
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
  /// Takes in a receive if its record is its source alone; false: it is not.
  bool take(Received const& received);
  /// The same for one of any source; false may be wrong. Inlined: nearly all are.
  bool take(std::uint32_t site, std::uint64_t event, Receipt const& receipt) {
    auto const source = static_cast<std::uint32_t>(number(receipt.id.source));
    if (site != next_site_ || source >= short_sources_) return false;
    Site& here = sites_[site];
    Channel& from = channels_[first_channel + source];
    if (receipt.id.sequence != moved(from.last, from.step) ||
        event != moved(event_, here.event_step) || receipt.post != moved(post_, here.post_step) ||
        static_cast<std::uint64_t>(receipt.spec.context()) != here.context ||
        number(receipt.spec.tag()) != sum(number(here.tag), here.tag_steps.step()) ||
        here.tag_steps.is_over())
      return false;
    here.tag = receipt.spec.tag();
    here.tag_steps.go_on();
    here.selector.low = sum(here.selector.low, here.tag_steps.step());
    take(here, from, {.post = receipt.post, .event = event, .site = site, .id = receipt.id});
    return true;
  }
  /// The receive whose record is this source alone, which is taken in. False: there is none, and
  /// the bytes are damaged.
  bool take_short(unsigned record, Received& to) {
    Site& here = sites_[next_site_];
    if (record >= short_sources_ || !here.known || here.kind != OpKind::receive) return false;
    Channel& from = channels_[first_channel + record];
    auto const step = here.tag_steps.next();
    here.tag_steps.take(step);
    here.selector.low = sum(here.selector.low, step);
    to = {.post = moved(post_, here.post_step),
          .event = moved(event_, here.event_step),
          .site = next_site_,
          .selector = here.selector,
          .id = {.source = Rank{static_cast<std::int32_t>(record)},
                 .sequence = moved(from.last, from.step)}};
    take(here, from, to);
    return true;
  }

 private:
  /// The context of no receive.
  static constexpr std::uint64_t no_context = ~std::uint64_t{0};
  /// No message of the source is known.
  static constexpr std::uint64_t unknown = ~std::uint64_t{0};

  /// It is as expected, and its selector has been taken in.
  void take(Site const& here, Channel& from, Received const& received) {
    next_site_ = here.next;
    event_ = received.event;
    last_site_ = received.site;
    post_ = received.post;
    from.last = received.id.sequence;
  }
  static void note_narrow(Site& site);
  /// The many sources of a long job share slots: each is then predicted less well.
  static std::uint32_t channel_of(Rank source) {
    return static_cast<std::uint32_t>(number(source) - number(exec_rank)) % most_channels;
  }
  static constexpr std::uint32_t most_channels = 1U << 17;
  static constexpr std::size_t first_channel = number(Rank{0}) - number(exec_rank);
  /// In 32 bits on purpose: a tag that wraps still comes out right.
  static std::int32_t sum(std::int32_t tag, std::int64_t step) {
    return static_cast<std::int32_t>(tag + step);
  }
  Site const& at(std::uint32_t site) const;
  void learn_site(Outcome const& outcome);
  void learn_channel(MessageId const& id);

  std::vector<Site> sites_ = std::vector<Site>(1);
  std::vector<Channel> channels_;    ///< by source + 3, the lowest being exec_rank
  std::uint32_t short_sources_ = 0;  ///< lower ones have a channel, and records of one byte
  std::uint32_t next_site_ = 0;      ///< the site that comes next
  std::uint64_t event_ = 0;
  std::uint64_t hash_block_ = 0;
  std::uint64_t post_ = 0;
  std::int64_t clock_ = 0;
  std::uint32_t last_site_ = no_site;
};

}  // namespace earl::trace
