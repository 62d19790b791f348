// SPDX-License-Identifier: BSD-3-Clause
/// The messages that a receive or a probe accepts.
#pragma once

#include <algorithm>
#include <limits>
#include <span>

#include "generic/base/values.hpp"

namespace earl {

/// The accepted tags. Plain data; a list refers to memory of the caller, who keeps it until the
/// receive is complete.
struct TagMatch {
  enum class Kind : std::uint8_t { exact, any, list, range, mask };

  Kind kind = Kind::any;
  std::int32_t low = 0;    ///< exact: the tag; range: the lowest
  std::int32_t high = 0;   ///< range: the highest
  std::uint32_t bits = 0;  ///< mask: bit k (0..29) takes tag k, bit 30 every tag from 30 to 2^30-1
  std::span<const Tag> tags{};

  static constexpr TagMatch exactly(Tag tag) { return {.kind = Kind::exact, .low = number(tag)}; }
  static constexpr TagMatch anything() { return {}; }
  static constexpr TagMatch any_of(std::span<const Tag> tags) {
    return {.kind = Kind::list, .tags = tags};
  }
  static constexpr TagMatch between(Tag low, Tag high) {
    return {.kind = Kind::range, .low = number(low), .high = number(high)};
  }
  /// NX type masks. All 31 bits set is NX's -1: everything below the force types (2^30 and up).
  static constexpr TagMatch masked(std::uint32_t bits) {
    return {.kind = Kind::mask, .bits = bits & 0x7fff'ffff};
  }

  bool accepts(Tag tag) const {
    if (kind == Kind::exact) [[likely]]
      return number(tag) == low;
    return kind == Kind::any || accepts_one_of_several(tag);
  }
  bool accepts_one_of_several(Tag tag) const;  ///< lists, ranges and masks
};

/// The handling of a message longer than the receive's memory.
enum class TooLong : std::uint8_t {
  cut,     ///< the front is delivered, Completion says how long it was
  refuse,  ///< nothing is delivered, the message stays in the unexpected queue
};

/// A debugger's say in the messages of one posted receive.
class MatchGuard {
 public:
  /// Whether the receive may take this message, which its spec accepts. Asked in the order of each
  /// source's messages; of those admitted it takes the oldest.
  virtual bool admits(Envelope const&, MessageId const&) = 0;
  /// No message of another source is ever admitted.
  virtual std::span<Rank const> sources() const = 0;

 protected:
  ~MatchGuard() = default;
};

struct MatchSpec {
  Rank source = any_rank;
  std::span<const Rank> sources{};  ///< when not empty: any of these; `source` must be any_rank
  Context context = common_context;
  bool any_user_context = false;  ///< `context` is ignored, every user context is welcome (PVM -1)
  TagMatch tag{};
  TooLong too_long = TooLong::cut;
  bool buffered_only = false;  ///< of probes and tries: Mode::synchronous is passed over
  bool pinned = false;   ///< a replay decides: the message `sequence`, or what the guard admits
  bool nothing = false;  ///< matches no message ever (replay: this receive never completed)
  Mode mode =
      Mode::standard;  ///< matches nothing either: the sender of a synchronous message is notified
  std::uint64_t sequence{};  ///< with `pinned`: only MessageId{source, sequence} will do
  MatchGuard* guard{};       ///< with `pinned`, in place of the above: has the last word

  /// Everything but `buffered_only`, `pinned` and `nothing`, of which receives know nothing or
  /// which need more than an envelope.
  bool accepts(Envelope const& envelope) const {
    return accepts_context(envelope.context) && accepts_source(envelope.source) &&
           tag.accepts(envelope.tag);
  }
  bool accepts_source(Rank rank) const {
    if (!sources.empty()) [[unlikely]]
      return std::find(sources.begin(), sources.end(), rank) != sources.end();
    return source == any_rank || source == rank;
  }
  bool accepts_context(Context other) const {
    return any_user_context ? space_of(other) == Space::user : other == context;
  }
  /// True when only one message can be next, for any behaviour of the other processes.
  bool names_one_channel() const { return source != any_rank && !any_user_context; }
};

inline constexpr Tag any_tag{std::numeric_limits<std::int32_t>::min()};

/// The match spec of most receives, in two words: a source or any, one context, a tag or any. No
/// program can send a message of tag `any_tag`.
class NarrowSpec {
 public:
  explicit NarrowSpec(Rank source, Context context, Tag tag)
      : source_(source), tag_(tag), context_(context) {}

  Rank source() const { return source_; }
  Tag tag() const { return tag_; }
  Context context() const { return context_; }
  bool accepts(Envelope const& envelope) const {
    return envelope.context == context_ && (source_ == any_rank || envelope.source == source_) &&
           (tag_ == any_tag || envelope.tag == tag_);
  }
  MatchSpec spec(TooLong too_long) const {
    return {.source = source_,
            .context = context_,
            .tag = tag_ == any_tag ? TagMatch::anything() : TagMatch::exactly(tag_),
            .too_long = too_long};
  }

 private:
  Rank source_;
  Tag tag_;
  Context context_;
};

/// Whether a receive or probe with this spec is the program's, not Earl's own.
inline bool user_visible(MatchSpec const& spec) {
  return spec.any_user_context || space_of(spec.context) == Space::user;
}

}  // namespace earl
