// SPDX-License-Identifier: BSD-3-Clause
/// Collectives over point to point: fixed trees, fixed order, so that results are the same bits on
/// every back end and in every replay. Trees are binomial: with more processes than cores the
/// number of messages counts, and a tree has the fewest.
#include "generic/collectives/collectives.hpp"

#include <fmt/format.h>

#include <string>
#include <string_view>

#include "generic/collectives/board_collectives.hpp"
#include "generic/collectives/exchange.hpp"
#include "generic/contexts.hpp"
#include "generic/exec_client.hpp"

namespace earl {

namespace {

constexpr std::string_view same_calls =
    "all members must make the same collective calls in the same order";
constexpr std::string_view same_amount = "all members must pass the same amount";

/// A Rank, and its number in the group.
std::string member_text(ContextName const& group, Rank rank) {
  return std::to_string(number(rank)) + number_text(group.number_of(rank), group.label);
}

}  // namespace

std::string unreceived_part_text(ContextName const& group, Rank me, Envelope const& theirs) {
  return fmt::format(
      "earl: collectives do not match: rank {} has received no part of {}, {} bytes, that rank {} "
      "sent it; {}\n",
      member_text(group, me), CollectiveCall::from(theirs.word).to_text(), theirs.length,
      member_text(group, theirs.source), same_calls);
}

void refuse_part(ExecClient& exec, ContextName const& group, Rank me, OwnCall const& own,
                 Envelope const& theirs) {
  auto const other = CollectiveCall::from(theirs.word);
  auto const calls = exec.calls(theirs.source);
  auto const order = theirs.tag == own.tag                  ? ""
                     : number(theirs.tag) < number(own.tag) ? "an earlier one, "
                                                            : "a later one, ";
  auto const mine = calls.own.empty() ? std::string{} : calls.own + ": ";
  // It may have gone on since.
  auto const now = calls.other.empty() ? std::string{} : ", and is in " + calls.other;
  throw Error(
      Fault::bad_length,
      "collectives do not match: process {} is in {}{}, {} bytes; process {} has sent its part of "
      "{}{}, {} bytes{}; {}",
      member_text(group, me), mine, own.call.to_text(), own.length,
      member_text(group, theirs.source), order, other.to_text(), theirs.length, now,
      theirs.tag == own.tag && own.call.fits(other) ? same_amount : same_calls);
}

CollectiveScope begin_collective(Process& me, DataFlow flow, char const* kind, Group const& group,
                                 Contribution const& own, std::size_t root) {
  EARL_CHECK(group.me < group.size(), "member {} of {}", group.me, group.size());
  EARL_CHECK(space_of(group.context) == Space::collective, "a collective in a user context");
  if (me.debugger()) [[unlikely]]
    return begin_in_messages(me, flow, kind, group, own, root);
  auto const tag = me.contexts().collective_tag(group.context);
  return CollectiveScope{tag, me.contexts().board_of(group), own.bytes};
}

CollectiveScope begin_in_messages(Process& me, DataFlow flow, char const* kind, Group const& group,
                                  Contribution const& own, std::size_t root) {
  auto const tag = me.contexts().collective_tag(group.context);
  Interceptor* const debugger = me.debugger();
  if (!debugger) return CollectiveScope{tag};
  return {tag,
          *debugger,
          {.kind = kind,
           .flow = flow,
           .context = group.context,
           .number = static_cast<std::uint64_t>(number(tag)),
           .root = root,
           .members = group.members,
           .bytes = own.bytes,
           .contribution = own.data}};
}

void check_rooms(Group const& group, std::span<const Scatter> rooms) {
  if (rooms.size() != group.size())
    throw Error(Fault::bad_length, "a collective of {} members was given room for {} parts",
                group.size(), rooms.size());
}

void keep_own(Gather const& mine, Scatter const& room) {
  if (mine.size() != room.size())
    throw Error(Fault::bad_length,
                "a member's own part has {} bytes, and the room for it {}; both must be the same",
                mine.size(), room.size());
  bool const there =
      mine.contiguous() && room.contiguous() && mine.only().data() == room.only().data();
  if (!there) copy(mine, room);
}

Buffer packed(Scatter const& memory) {
  if (memory.patterned()) return Buffer{Gather{memory.base(), memory.pattern()}};
  Buffer flat{memory.size()};
  std::size_t at = 0;
  for (MutableBytes const piece : memory.list()) at += copy(piece, flat.room().subspan(at));
  return flat;
}

namespace {

/// All parts, one behind the other.
void gather_and_share(Exchange& exchange, Group const& group, std::span<const Scatter> rooms,
                      std::size_t size) {
  Buffer all{size};
  const Buffer own = packed(rooms[group.me]);
  if (group.me != 0) exchange.send(0, own.bytes());
  for (std::size_t member = 0, at = 0; group.me == 0 && member < group.size(); ++member) {
    MutableBytes const part = all.room().subspan(at, rooms[member].size());
    if (member == 0)
      copy(own.bytes(), part);
    else
      exchange.receive(member, part);
    at += part.size();
  }
  exchange.down(Tree{group, 0}, all.room());
  std::size_t at = 0;
  for (Scatter const& room : rooms) at += copy(all.bytes().subspan(at, room.size()), room);
}

}  // namespace

void barrier(Process& me, Group const& group) {
  auto scope = begin_collective(me, DataFlow::all_to_all, "barrier", group, {});
  CollectiveCall const call{.kind = Collective::barrier};
  if (auto* const board = scope.board_for(0)) return board->barrier(call, scope.tag());
  Exchange exchange{me, group, std::move(scope), call};
  if (group.size() == 2) return exchange.send_receive(1 - group.me, {}, 1 - group.me, {});
  const Tree tree{group, 0};
  exchange.up(
      tree, [&](std::size_t child) { exchange.receive(child, {}); },
      [&](std::size_t parent) { exchange.send(parent, {}); });
  exchange.down(tree, {});
}

void broadcast(Process& me, Group const& group, std::size_t root, MutableBytes data) {
  Gather const own{Bytes{data}};
  auto scope = begin_collective(me, DataFlow::from_root, "broadcast", group,
                                Contribution::of_root(group.me == root, own), root);
  CollectiveCall const call{.kind = Collective::broadcast, .root = root};
  if (auto* const board = scope.board_for(data.size()))
    return board->broadcast(call, scope.tag(), data);
  if (auto* const board = scope.board())
    if (on_board::broadcast(*board, call, scope.tag(), data)) return;
  Exchange{me, group, std::move(scope), call}.down(Tree{group, root}, data);
}

void broadcast(Process& me, Group const& group, std::size_t root, Scatter const& data) {
  if (data.contiguous()) return broadcast(me, group, root, data.only());
  Buffer flat = group.me == root ? packed(data) : Buffer{data.size()};
  broadcast(me, group, root, flat.room());
  if (group.me != root) copy(flat.bytes(), data);
}

Buffer gather(Process& me, Group const& group, std::size_t root, Bytes mine) {
  Gather const own{mine};
  Exchange exchange{
      me,
      group,
      begin_collective(me, DataFlow::to_root, "gather", group, Contribution::of(own), root),
      {.kind = Collective::gather, .root = root}};
  if (group.me != root) {
    exchange.send(root, mine);
    return {};
  }
  std::vector<Buffer> pieces(group.size());
  std::vector<Bytes> parts(group.size());
  for (std::size_t member = 0; member < group.size(); ++member) {
    if (member != root) pieces[member] = exchange.take(member);
    parts[member] = member == root ? mine : pieces[member].bytes();
  }
  return Buffer{Gather{std::span<const Bytes>{parts}}};
}

void gather(Process& me, Group const& group, std::size_t root, Gather const& mine,
            std::span<const Scatter> rooms) {
  Exchange exchange{
      me,
      group,
      begin_collective(me, DataFlow::to_root, "gather", group, Contribution::of(mine), root),
      {.kind = Collective::gather, .root = root}};
  if (group.me != root) return exchange.send(root, mine);
  check_rooms(group, rooms);
  keep_own(mine, rooms[root]);
  for (std::size_t member = 0; member < group.size(); ++member)
    if (member != root) exchange.receive(member, rooms[member]);
}

Buffer all_gather(Process& me, Group const& group, Bytes mine) {
  Buffer all = gather(me, group, 0, mine);
  std::uint64_t size = all.size();
  broadcast(me, group, 0, writable_bytes_of(size));
  if (group.me != 0) all = Buffer(size);
  broadcast(me, group, 0, all.room());
  return all;
}

namespace {

/// Short parts go up to member 0 and down a tree as one message, which takes the fewest; long ones
/// from each to each.
void gather_by_messages(Exchange& exchange, Group const& group, Gather const& mine,
                        std::span<const Scatter> rooms) {
  constexpr std::size_t short_in_all = 32 << 10;
  std::size_t all = 0;
  for (Scatter const& room : rooms) all += room.size();
  if (group.size() > 2 && all <= short_in_all) return gather_and_share(exchange, group, rooms, all);
  exchange.rounds([&](std::size_t ahead, std::size_t behind) {
    exchange.send_receive(ahead, mine, behind, rooms[behind]);
  });
}

}  // namespace

void all_gather(Process& me, Group const& group, Gather const& mine,
                std::span<const Scatter> rooms) {
  auto scope =
      begin_collective(me, DataFlow::all_to_all, "all-gather", group, Contribution::of(mine));
  CollectiveCall const call{.kind = Collective::all_gather};
  check_rooms(group, rooms);
  keep_own(mine, rooms[group.me]);
  if (auto* const board = scope.board())
    if (on_board::all_gather(*board, call, scope.tag(), mine, rooms)) return;
  Exchange exchange{me, group, std::move(scope), call};
  gather_by_messages(exchange, group, mine, rooms);
}

void all_gather(Process& me, Group const& group, Bytes mine, MutableBytes all) {
  if (all.size() != mine.size() * group.size())
    throw Error(Fault::bad_length, "an all-gather of {} bytes of {} members was given room for {}",
                mine.size(), group.size(), all.size());
  Gather const own{mine};
  auto scope =
      begin_collective(me, DataFlow::all_to_all, "all-gather", group, Contribution::of(own));
  CollectiveCall const call{.kind = Collective::all_gather};
  on_board::EqualParts<MutableBytes> const rooms{all, group.size()};
  keep_own(own, rooms[group.me]);
  if (auto* const board = scope.board())
    if (on_board::all_gather(*board, call, scope.tag(), mine, rooms)) return;
  Exchange exchange{me, group, std::move(scope), call};
  std::vector<Scatter> each(group.size());
  for (std::size_t member = 0; member < each.size(); ++member) each[member] = rooms[member];
  gather_by_messages(exchange, group, own, each);
}

}  // namespace earl
