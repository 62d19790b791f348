// SPDX-License-Identifier: BSD-3-Clause
/// The wildcard receives whose outcome a minimal recording must keep.
///
/// A replay may leave a receive free, and gives it whichever message of a free receive comes first,
/// unless in some run another message could come first. So each receive is compared with the free
/// ones before it: if one of them could have taken its message, it is pinned, and no free receive
/// will be offered that message. A pinned receive takes nothing else, so later ones are not
/// compared with it (Netzer and Miller's test, with Leu and Schiper's selective receives).
///
/// A message cannot be for a receive that was complete before the message was sent. Processes learn
/// of that through words in messages: how many receives of the sender are complete, and how many of
/// the receiver's it knows to be complete from the receiver's own messages. It may know of more
/// through others; then a receive is pinned that need not be.
#pragma once

#include <cstdint>
#include <deque>
#include <unordered_map>
#include <vector>

#include "debug/record/posts.hpp"
#include "debug/trace/outcome.hpp"
#include "generic/message/match_spec.hpp"

namespace earl::record {

class Pins {
 public:
  explicit Pins(Rank rank) : rank_(rank) {}

  // --- the words in messages
  std::uint64_t word_for(Rank dest) const;
  void word_arrived(MessageId const& id, std::uint64_t word) { words_[id] = word; }
  void sent(Rank dest, std::uint64_t sequence);

  // --- receives
  /// A wildcard receive is posted; lists in its spec are copied.
  void posting(MatchSpec const& spec);
  /// It has its message: whether its outcome must be kept. `open`: those that have none yet.
  bool must_pin(Received const& receive, Envelope const& envelope, Posts const& open);
  /// Receive `post`, whose outcome is kept in any case or certain, has its message.
  void matched(std::uint64_t post, Envelope const& envelope, MessageId const& id);
  /// The program has the message of its receive `post`.
  void completed(std::uint64_t post);
  /// The program has a message that no receive was posted for; the next one would be `post`.
  void taken(std::uint64_t post, Envelope const& envelope, MessageId const& id);

  /// Free receives remembered; a receive that might be compared with an older one is pinned.
  static constexpr std::size_t most_free = 1024;

 private:
  static constexpr std::uint32_t not_complete = 0xffff'ffff;
  /// Messages remembered of each source.
  static constexpr std::size_t most_earlier = 16;

  struct Free {
    std::uint64_t post = 0;
    std::uint32_t number = not_complete;   ///< in the order of completion, from 1
    std::uint32_t highest = not_complete;  ///< of this one's number and those of all before it
    Rank source{};                         ///< of its message
    trace::Selector selector{};
  };
  /// A message that was received, the last one of its tag.
  struct Earlier {
    Context context{};
    Tag tag{};
    std::uint64_t post = 0;
    std::uint64_t sequence = 0;
  };
  struct Peer {
    std::uint32_t receives = 0;  ///< of its own that are complete, as it said last
    std::vector<Earlier> earlier{};
  };
  struct IdHash {
    std::size_t operator()(MessageId const& id) const {
      return std::hash<std::uint64_t>{}(id.sequence << 20 ^
                                        static_cast<std::uint32_t>(number(id.source)));
    }
  };
  struct Word {
    std::uint64_t post = 0;
    Rank source{};
    std::uint32_t receives = 0;
  };

  /// The number of receives of this process that its sender knew to be complete.
  std::uint32_t known_to_sender(MessageId const& id) const;
  bool races(Received const& receive, Envelope const& envelope) const;
  /// Whether an older message of the same source, which `one` would have taken, went to a receive
  /// after it.
  bool is_behind(Free const& one, Rank source, std::uint64_t sequence) const;
  bool accepts(trace::Selector const& selector, Rank source, Context context, Tag tag) const;
  void remember(Received const& receive, Rank source);
  void update_highest(std::size_t from);
  void note_earlier(std::uint64_t post, Envelope const& envelope, MessageId const& id);
  /// The sender's word, no longer kept; 0: it had none.
  std::uint64_t take_word(MessageId const& id);
  void learn(Rank source, std::uint32_t receives);

  Rank rank_;
  std::uint32_t completed_ = 0;
  std::unordered_map<Rank, Peer> peers_;
  std::unordered_map<MessageId, std::uint64_t, IdHash> words_;  ///< of messages not yet received
  std::vector<Word> pending_;  ///< with messages that the program does not have yet
  std::deque<Free> free_;      ///< the youngest last
  bool uniform_ = true;        ///< all free receives ever had one selector
  std::uint32_t dropped_ = 0;  ///< highest number of those no longer in `free_`
  std::unordered_map<std::uint32_t, std::vector<Rank>> sources_;  ///< lists, by their hash
  std::unordered_map<std::uint32_t, std::vector<Tag>> tags_;
};

}  // namespace earl::record
