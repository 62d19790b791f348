// SPDX-License-Identifier: BSD-3-Clause
/// The one matching engine: which message goes to which receive.
///
/// Rules: posted receives match in post order, messages in arrival order, and messages from one
/// source on one context never overtake. NX and BIP never name a source, PVM often no tag; neither
/// makes the engine search unwanted messages.
#pragma once

#include <array>
#include <utility>
#include <vector>

#include "generic/base/slab.hpp"
#include "generic/operation.hpp"

namespace earl {

/// Whether a pinned receive takes this message.
inline bool is_pinned_to(MatchSpec const& spec, Envelope const& envelope, MessageId const& id) {
  if (!spec.guard) return id == MessageId{spec.source, spec.sequence};
  return spec.accepts(envelope) && spec.guard->admits(envelope, id);
}

/// Messages that arrived before their receive: one list of all and, as soon as there are several,
/// one per context, and two hash chains each, by (context, tag) and by (context, source).
class UnexpectedQueue {
 public:
  /// Takes the message in as the youngest. Throws Error (Fault::no_memory).
  Arrival& add(Envelope const& envelope, MessageId const& id, Bytes payload);
  Arrival& add_offer(Envelope const& envelope, MessageId const& id, Offer const& offer);
  /// The oldest message the spec accepts; null: none.
  Arrival* find(MatchSpec const& spec) const {
    if (all_.empty()) return nullptr;
    if (only_) return accepts(spec, *only_) ? only_ : nullptr;
    return find_filed(spec);
  }
  Arrival* find(NarrowSpec const& spec) const {
    if (all_.empty()) return nullptr;
    if (only_) return spec.accepts(only_->envelope) ? only_ : nullptr;
    return find_filed(spec.spec(TooLong::cut));
  }
  /// The oldest message the spec accepts whose bytes, with those of such messages before it, are
  /// more than `most`; null: none.
  Arrival* find_beyond(MatchSpec const& spec, std::uint64_t most) const;
  /// A long message whose bytes are still at `source`; null: no such one.
  Arrival* find_offer(Rank source, TransferId transfer) const;
  /// All such messages of `source`.
  std::vector<Arrival*> offers_of(Rank source) const;
  /// The message that this process itself sent with `sender`; null: no such one.
  Arrival* find_from(Request const& sender) const;
  /// The number the next arrival will have.
  std::uint64_t next_number() const { return arrivals_; }
  /// The bytes of an offered message are here now.
  void fill(Arrival& arrival, Buffer body);
  void remove(Arrival& arrival);
  std::size_t size() const { return all_.size(); }
  /// Unreceived messages of user contexts.
  std::size_t user_messages() const;
  /// The oldest in contexts of that kind, `most` at most.
  std::vector<Arrival const*> oldest_in(Space space, std::size_t most) const;

 private:
  static bool accepts(MatchSpec const& spec, Arrival const& arrival) {
    Envelope const& envelope = arrival.envelope;
    if (spec.pinned) [[unlikely]]
      return is_pinned_to(spec, envelope, arrival.id) && spec.accepts_context(envelope.context);
    bool const hidden = spec.nothing || (spec.buffered_only && envelope.mode == Mode::synchronous);
    return !hidden && spec.accepts(envelope);
  }
  Arrival& enqueue(Envelope const& envelope, MessageId const& id);
  void file(Arrival& arrival);
  Arrival* find_filed(MatchSpec const& spec) const;
  Arrival* find_pinned(MatchSpec const& spec) const;
  Arrival* find_admitted(MatchSpec const& spec) const;
  Arrival* find_tag(MatchSpec const& spec, Tag tag) const;
  Arrival* find_listed(MatchSpec const& spec) const;
  Arrival* find_masked(MatchSpec const& spec) const;
  Arrival* find_in_context(MatchSpec const& spec) const;
  Arrival* find_buffered(MatchSpec const& spec) const;

  Slab<Arrival> slab_;
  Arrival* only_ = nullptr;  ///< the one message there is, on no chain: often there never are more
  List<Arrival, 0> all_;
  ChainIndex<Arrival, 1> by_context_;
  ChainIndex<Arrival, 2> by_tag_;
  ChainIndex<Arrival, 3> by_source_;
  std::uint64_t arrivals_ = 0;
  std::size_t offers_ = 0;  ///< messages whose bytes are still at their senders
};

/// Receives that wait for their message: the younger ones in one list, as long as messages come for
/// its first ones, the others in buckets by their fixed parts.
class PostedQueue {
 public:
  /// The number of the next receive: its place, also when it is added later or a second time.
  std::uint64_t next_number() { return posts_++; }
  /// The request has its number, which is the highest.
  void add(Request& request) {
    if (++size_ == 1) [[likely]]
      only_ = &request;
    else
      list(request);
  }
  /// Like add(), behind the older and before the younger ones.
  void put_back(Request& request);
  void remove(Request& request) {
    --size_;
    if (only_) [[likely]]
      only_ = nullptr;
    else if (!request.filed)
      listed_.remove(request);
    else
      take_out(request);
  }
  /// The oldest receive that accepts the message; null: none. It stays posted.
  Request* find(Envelope const& envelope, MessageId const& id) {
    if (only_) [[likely]]
      return accepts(only_->spec, envelope, id) ? only_ : nullptr;
    return size_ == 0 ? nullptr : find_of_several(envelope, id);
  }
  std::size_t size() const { return size_; }

 private:
  static bool accepts(MatchSpec const& spec, Envelope const& envelope, MessageId const& id) {
    if (spec.pinned) [[unlikely]]
      return !spec.nothing && is_pinned_to(spec, envelope, id);
    return !spec.nothing && spec.accepts(envelope);
  }

  /// The fixed parts of a bucket beside the context.
  enum Fixed : std::size_t { both, source_only, tag_only, neither, kinds };

  void list(Request& request) {
    if (only_) push(*std::exchange(only_, nullptr));
    push(request);
  }
  void push(Request& request) {
    request.filed = false;
    listed_.push_back(request);
  }
  void file_all();
  Request* find_of_several(Envelope const& envelope, MessageId const& id);
  List<Request, 0>& list_for(Request& request);
  void take_out(Request& request);
  Request* find_filed(Envelope const& envelope, MessageId const& id) const;

  static constexpr int looked_through = 4;  ///< of the list

  Request* only_ = nullptr;  ///< the one receive there is: most programs never post a second
  List<Request, 0> listed_;  ///< younger than all that are filed
  ChainIndex<Request, 0> buckets_;
  std::array<std::size_t, kinds> in_bucket_{};  ///< receives per kind, to skip empty kinds
  List<Request, 0> odd_;  ///< lists, masks, ranges, sets, any context, pinned: looked through
  std::size_t size_ = 0;
  std::uint64_t posts_ = 0;
};

}  // namespace earl
