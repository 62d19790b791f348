// SPDX-License-Identifier: BSD-3-Clause
/// The room in receive queues, counted by those who send and given back by those who receive.
///
/// A short message of L words takes L + 4 of its queue until it is received or freed. A sender
/// counts what it has sent and not heard to be free again. So that no message of credit follows
/// each message, a receiver tells of freed words when a quarter of a queue has come together, and
/// senders may be that much ahead; for a queue that bip_taginit has sized it tells of each at once.
#pragma once

#include <cstdint>
#include <map>
#include <utility>
#include <vector>

namespace earl::bip {

inline constexpr int most_tags = 200;
inline constexpr std::uint32_t header_words = 4;

/// What bip_taginit said of one queue, as all nodes learn it.
struct QueueSize {
  std::int32_t tag = 0;
  std::uint32_t words = 0;
};

class Queues {
 public:
  /// As the default: room for 64 short messages, more when there are many nodes.
  Queues(int nodes, int me, std::uint32_t short_words);

  /// `words` is a queue's size at `node`. Before the first message.
  void resize(int node, QueueSize size);
  /// What the senders to a queue of `node` may share, as faithful BIP has it; else each may use
  /// all.
  void share(bool shared);

  // --- at the sender
  /// A message of that many words can never wait in the queue.
  bool never_fits(int node, int tag, std::uint32_t words) const;
  /// Takes room for a message; false: there is none now.
  bool take(int node, int tag, std::uint32_t words) {
    auto& left = at(left_, node, tag);
    auto const needed = static_cast<std::int64_t>(words + header_words);
    if (left < needed) [[unlikely]]
      return false;
    left -= needed;
    return true;
  }
  void credited(int node, int tag, std::uint32_t words) { at(left_, node, tag) += words; }

  // --- at the receiver
  /// A message has left the queue. Gives the words to tell its sender of; 0: not yet.
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
  /// Of the queue as bip_taginit made it, else of any.
  std::uint32_t capacity(int node, int tag) const;
  /// How far a sender may be ahead of what it has heard.
  std::uint32_t delay(int node, int tag) const;
  /// What one sender may take.
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
