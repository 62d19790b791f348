// SPDX-License-Identifier: BSD-3-Clause
/// The room in receive queues, counted by senders and given back by receivers.
///
/// A short message of L words takes L + 4 of its queue until it is received or freed. A sender
/// counts the words that it has sent and that have not been reported free again. To avoid a credit
/// message for each message, a receiver reports freed words when they are a quarter of a queue, and
/// senders may be that much ahead; for a queue that bip_taginit has sized it reports each at once.
#pragma once

#include <cstdint>
#include <map>
#include <utility>
#include <vector>

namespace earl::bip {

inline constexpr int most_tags = 200;
inline constexpr std::uint32_t header_words = 4;

/// bip_taginit's arguments for one queue, as all nodes get them.
struct QueueSize {
  std::int32_t tag = 0;
  std::uint32_t words = 0;
};

class Queues {
 public:
  /// The default: room for 64 short messages, more when there are many nodes.
  Queues(int nodes, int me, std::uint32_t short_words);

  /// `words` is a queue's size at `node`. Before the first message.
  void resize(int node, QueueSize size);
  /// The words that the senders to a queue of `node` share, as in faithful BIP; otherwise each may
  /// use all.
  void share(bool shared);

  // --- at the sender
  /// A message of that many words can never wait in the queue.
  bool never_fits(int node, int tag, std::uint32_t words) const;
  /// Takes room for a message; false: there is none now.
  bool take(int node, int tag, std::uint32_t words) {
    auto& left = at(left_, node, tag);
    auto const needed = std::int64_t{words} + header_words;
    if (left < needed) [[unlikely]]
      return false;
    left -= needed;
    return true;
  }
  void credited(int node, int tag, std::uint32_t words) { at(left_, node, tag) += words; }

  // --- at the receiver
  /// A message has left the queue. Returns the words to report to its sender; 0: not yet.
  std::uint32_t freed(int node, int tag, std::uint32_t words) {
    auto& freed = at(freed_, node, tag);
    freed += words + header_words;
    if (freed < delays_[static_cast<std::size_t>(tag)]) [[likely]]
      return 0;
    return static_cast<std::uint32_t>(std::exchange(freed, 0));
  }

 private:
  using PerTag = std::vector<std::int64_t>;
  using ByNode = std::vector<PerTag>;  ///< empty until the node is first spoken to
  std::int64_t& at(ByNode& all, int node, int tag) {
    auto& counts = all[static_cast<std::size_t>(node)];
    if (counts.empty()) [[unlikely]]
      begin(all, node);
    return counts[static_cast<std::size_t>(tag)];
  }
  void begin(ByNode& all, int node);
  /// The size of the queue as bip_taginit made it, or the default.
  std::uint32_t capacity(int node, int tag) const;
  /// The most words that a sender may be ahead of the reported ones.
  std::uint32_t delay(int node, int tag) const;
  /// The words that one sender may take.
  std::uint32_t limit(int node, int tag) const;

  int nodes_;
  int me_;
  std::uint32_t default_;
  bool shared_ = false;
  std::map<std::pair<int, int>, std::uint32_t> sizes_{};  ///< by (node, tag)
  ByNode left_;      ///< by node and tag: room in its queue, as far as is known here
  ByNode freed_;     ///< by node and tag: not reported yet
  PerTag delays_{};  ///< of the own queues, by tag
};

}  // namespace earl::bip
