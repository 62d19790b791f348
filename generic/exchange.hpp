/// What collectives are made of: a tree over the members, and messages along it.
#pragma once

#include "generic/process.hpp"

namespace earl {

/// One member's place in the binomial tree that grows from `root`.
struct Tree {
  std::size_t size;
  std::size_t root;
  std::size_t relative;  ///< own position, counted from the root

  Tree(Group const& group, std::size_t root_member)
      : size(group.size()),
        root(root_member),
        relative((group.me + group.size() - root_member) % group.size()) {}

  std::size_t member(std::size_t relative_position) const {
    return (relative_position + root) % size;
  }
  /// The bit that separates this member from its parent; for the root, beyond all others.
  std::size_t own_bit() const {
    std::size_t bit = 1;
    while (bit < size && (relative & bit) == 0) bit <<= 1;
    return bit;
  }
};

/// The point-to-point operations of one collective: its context, its tag, and what it is.
class Exchange {
 public:
  Exchange(Process& process, Group const& group, Tag tag, CollectiveCall const& call)
      : process_(process), group_(group), tag_(tag), call_(call), word_(call.word()) {}

  void send(std::size_t member, Bytes bytes) { process_.send(envelope(member), bytes); }

  void receive(std::size_t member, Room room) {
    const Completion got = process_.receive(spec(member), room);
    if (got.lost)
      throw Error("member {} of a collective (process {}) ended before its part had been read",
                  member, number(got.envelope.source));
    if (got.envelope.word != word_ || got.envelope.length != room.size()) [[unlikely]]
      compare(got.envelope, room.size());
  }

  /// Of any length.
  Buffer take(std::size_t member) {
    Message got = process_.take(spec(member));
    if (got.envelope.word != word_) [[unlikely]]
      compare(got.envelope, got.envelope.length);
    return std::move(got.body);
  }

  /// Starts a send that nobody waits for yet.
  RequestId start_send(std::size_t member, Bytes bytes) {
    return process_.start_send(envelope(member), bytes);
  }

  /// Hands the root's bytes down the tree; everybody's room has the same size.
  void down(Tree const& tree, Room data) {
    const std::size_t own = tree.own_bit();
    if (tree.relative != 0) receive(tree.member(tree.relative - own), data);
    for (std::size_t bit = own >> 1; bit != 0; bit >>= 1)
      if (tree.relative + bit < tree.size) send(tree.member(tree.relative + bit), data);
  }

  /// Calls join(member) for each child, nearest first, then leave(parent).
  template <class Join, class Leave>
  void up(Tree const& tree, Join join, Leave leave) {
    const std::size_t own = tree.own_bit();
    for (std::size_t bit = 1; bit < own; bit <<= 1)
      if (tree.relative + bit < tree.size) join(tree.member(tree.relative + bit));
    if (tree.relative != 0) leave(tree.member(tree.relative - own));
  }

 private:
  Envelope envelope(std::size_t member) const {
    return {.dest = group_.members[member], .context = group_.context, .tag = tag_, .word = word_};
  }
  MatchSpec spec(std::size_t member) const {
    return {.source = group_.members[member],
            .context = group_.context,
            .tag = TagMatch::exactly(tag_)};
  }

  /// Throws Error if the two are not parts of one collective.
  [[gnu::cold, gnu::noinline]] void compare(Envelope const& theirs, std::size_t expected);

  Process& process_;
  Group const& group_;
  Tag tag_;
  CollectiveCall call_;
  std::uint32_t word_;
};

}  // namespace earl
