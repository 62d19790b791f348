// SPDX-License-Identifier: BSD-3-Clause
/// The building blocks of collectives: a tree over the members, and messages along it.
#pragma once

#include <optional>
#include <utility>

#include "generic/collectives/collectives.hpp"
#include "generic/collectives/group_board.hpp"
#include "generic/contexts.hpp"
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

/// A collective under way: debuggers are notified of its end.
class CollectiveScope {
 public:
  /// `board`: the group's; null: it has none. `bytes`: that this member gives.
  explicit CollectiveScope(Tag tag, GroupBoard* board = nullptr, std::size_t bytes = 0)
      : tag_(tag), board_(board), bytes_(bytes) {}
  CollectiveScope(Tag tag, Interceptor& watch, CollectiveOp const& op)
      : tag_(tag), watch_(&watch), op_(op) {
    watch.collective(op);
  }
  CollectiveScope(CollectiveScope&& other) noexcept
      : tag_(other.tag_),
        board_(other.board_),
        bytes_(other.bytes_),
        watch_(std::exchange(other.watch_, nullptr)),
        op_(other.op_) {}
  ~CollectiveScope() {
    if (watch_) [[unlikely]]
      watch_->collective_ended(*op_);
  }
  CollectiveScope(CollectiveScope const&) = delete;
  CollectiveScope& operator=(CollectiveScope const&) = delete;

  Tag tag() const { return tag_; }
  /// Where it may take place; null: in messages. All members see the same, as long as their calls
  /// fit.
  GroupBoard* board() const { return board_; }
  /// The same of one with so many bytes in a line of the board.
  GroupBoard* board_for(std::size_t bytes) const {
    return bytes <= CollectiveBoard::most_bytes ? board_ : nullptr;
  }
  /// It takes place in messages.
  void begin_messages(CollectiveCall const& call) const {
    if (board_) board_->begin_messages(call, tag_, bytes_);
  }

 private:
  Tag tag_;
  GroupBoard* board_ = nullptr;
  std::size_t bytes_ = 0;
  Interceptor* watch_ = nullptr;  ///< null: no debugger
  std::optional<CollectiveOp> op_;
};

/// Data that a member gives to a collective, and the bytes that debuggers see: those of a receiving
/// member, too.
struct Contribution {
  std::size_t bytes = 0;
  std::span<Gather const> data{};

  /// `own` must stay until the collective has begun.
  static Contribution of(Gather const& own) { return {own.size(), {&own, 1}}; }
  /// Like of(), on the root; other members know only how long it is.
  static Contribution of_root(bool root, Gather const& own) {
    return root ? of(own) : Contribution{own.size(), {}};
  }
};
/// Starts a collective: takes the tag its messages travel under, and notifies the debugger.
CollectiveScope begin_collective(Process& me, DataFlow flow, char const* kind, Group const& group,
                                 Contribution const& own, std::size_t root = 0);
/// One that never takes place on a board.
CollectiveScope begin_in_messages(Process& me, DataFlow flow, char const* kind, Group const& group,
                                  Contribution const& own, std::size_t root = 0);

/// Fault::bad_length when there are not as many as members.
void check_rooms(Group const& group, std::span<const Scatter> rooms);
/// Copies a member's data for itself; Fault::bad_length when the room is not as long.
void keep_own(Gather const& mine, Scatter const& room);
/// The content of the memory.
Buffer packed(Scatter const& memory);

/// The point-to-point operations of one collective: its context, its tag, and its kind.
class Exchange {
 public:
  Exchange(Process& process, Group const& group, CollectiveScope scope, CollectiveCall const& call)
      : process_(process),
        group_(group),
        scope_(std::move(scope)),
        call_(call),
        word_(call.word()) {
    scope_.begin_messages(call);
  }

  void send(std::size_t member, Gather const& bytes) { process_.send(envelope(member), bytes); }

  void receive(std::size_t member, Scatter const& room) {
    const Completion got = process_.receive(spec(member), room);
    if (got.lost)
      throw Error("member {} of a collective (process {}) ended before its part had been read",
                  member, number(got.envelope.source));
    if (!is_part(got.envelope) || got.envelope.length != room.size()) [[unlikely]]
      compare(got.envelope, room.size());
  }

  /// For any length.
  Buffer take(std::size_t member) {
    Message got = process_.take(spec(member));
    if (!is_part(got.envelope)) [[unlikely]]
      compare(got.envelope, got.envelope.length);
    return std::move(got.body);
  }

  /// Starts a send without waiting for it.
  RequestId start_send(std::size_t member, Gather const& bytes) {
    return process_.start_send(envelope(member), bytes);
  }

  /// A send whose memory will not stay, as the collective has failed.
  void take_back(RequestId send) {
    process_.cancel(send);
    process_.wait(send);
  }

  /// Sends and receives at the same time, so that no member waits for one that waits.
  void send_receive(std::size_t to, Gather const& out, std::size_t from, Scatter const& in) {
    const RequestId sent = start_send(to, out);
    try {
      receive(from, in);
    } catch (Error const&) {
      take_back(sent);
      throw;
    }
    process_.wait(sent);
  }

  /// Calls step(ahead, behind) for each distance between members: when all send ahead and receive
  /// from behind, none has to take in more than one message at a time.
  template <class Step>
  void rounds(Step step) const {
    const std::size_t n = group_.size();
    for (std::size_t distance = 1; distance < n; ++distance)
      step((group_.me + distance) % n, (group_.me + n - distance) % n);
  }

  /// Hands the root's bytes down the tree; all members' rooms have the same size.
  void down(Tree const& tree, MutableBytes data) {
    const std::size_t own = tree.own_bit();
    if (tree.relative != 0) receive(tree.member(tree.relative - own), data);
    for (std::size_t bit = own >> 1; bit != 0; bit >>= 1)
      if (tree.relative + bit < tree.size) send(tree.member(tree.relative + bit), Bytes{data});
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
    return {.dest = group_.members[member],
            .context = group_.context,
            .tag = scope_.tag(),
            .word = word_};
  }
  /// The member's next part of any collective: members that make the same calls in the same order
  /// receive what others send in the order of sending, so that a part of another one is a mistake.
  MatchSpec spec(std::size_t member) const {
    return {.source = group_.members[member], .context = group_.context};
  }
  bool is_part(Envelope const& theirs) const {
    return theirs.word == word_ && theirs.tag == scope_.tag();
  }

  /// Throws Error if the two are not parts of one collective.
  [[gnu::cold, gnu::noinline]] void compare(Envelope const& theirs, std::size_t expected) {
    bool const same = theirs.tag == scope_.tag() && call_.fits(CollectiveCall::from(theirs.word));
    if (same && theirs.length == expected) return;
    refuse_part(process_.exec(), process_.contexts().name(group_.context), process_.rank(),
                {call_, scope_.tag(), expected}, theirs);
  }

  Process& process_;
  Group const& group_;
  CollectiveScope scope_;
  CollectiveCall call_;
  std::uint32_t word_;
};

}  // namespace earl
