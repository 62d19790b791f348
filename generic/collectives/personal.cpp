// SPDX-License-Identifier: BSD-3-Clause
/// Collectives in which every member gets something of its own: scatter, all-to-all, scans.
#include <algorithm>

#include "generic/collectives/board_collectives.hpp"
#include "generic/collectives/exchange.hpp"

namespace earl {

namespace {

Buffer copy_of(Bytes bytes) { return Buffer{Gather{bytes}}; }

Bytes part_of(Bytes all, std::size_t member, std::size_t size) {
  return all.subspan(member * size, size);
}

}  // namespace

Buffer scatter(Process& me, Group const& group, std::size_t root, std::span<const Bytes> parts) {
  Gather const own{parts};
  Exchange exchange{me,
                    group,
                    begin_collective(me, DataFlow::from_root, "scatter", group,
                                     {0, {&own, group.me == root ? 1U : 0U}}, root),
                    {.kind = Collective::scatter, .root = root}};
  if (group.me != root) return exchange.take(root);
  if (parts.size() != group.size())
    throw Error(Fault::bad_length, "a scatter to {} members was given {} parts", group.size(),
                parts.size());
  for (std::size_t member = 0; member < group.size(); ++member)
    if (member != root) exchange.send(member, parts[member]);
  return copy_of(parts[root]);
}

void scatter(Process& me, Group const& group, std::size_t root, Bytes all, MutableBytes mine) {
  Gather const own{all};
  Exchange exchange{me,
                    group,
                    begin_collective(me, DataFlow::from_root, "scatter", group,
                                     {mine.size(), {&own, group.me == root ? 1U : 0U}}, root),
                    {.kind = Collective::scatter, .root = root}};
  if (group.me != root) return exchange.receive(root, mine);
  if (all.size() != group.size() * mine.size())
    throw Error(Fault::bad_length, "a scatter of {} bytes to each of {} members was given {} bytes",
                mine.size(), group.size(), all.size());
  for (std::size_t member = 0; member < group.size(); ++member)
    if (member != root) exchange.send(member, part_of(all, member, mine.size()));
  copy(part_of(all, root, mine.size()), mine);
}

void scatter(Process& me, Group const& group, std::size_t root, std::span<const Gather> parts,
             Scatter const& mine) {
  Exchange exchange{
      me,
      group,
      begin_collective(me, DataFlow::from_root, "scatter", group,
                       {mine.size(), parts.first(group.me == root ? parts.size() : 0)}, root),
      {.kind = Collective::scatter, .root = root}};
  if (group.me != root) return exchange.receive(root, mine);
  if (parts.size() != group.size())
    throw Error(Fault::bad_length, "a scatter to {} members was given {} parts", group.size(),
                parts.size());
  keep_own(parts[root], mine);
  for (std::size_t member = 0; member < group.size(); ++member)
    if (member != root) exchange.send(member, parts[member]);
}

// In step s each member sends s members ahead and receives from s members behind, so that none has
// to take in more than one message at a time.
std::vector<Buffer> all_to_all(Process& me, Group const& group, std::span<const Bytes> parts) {
  if (parts.size() != group.size())
    throw Error(Fault::bad_length, "an all-to-all of {} members was given {} parts", group.size(),
                parts.size());
  Gather const own{parts};
  Exchange exchange{me,
                    group,
                    begin_collective(me, DataFlow::all_to_all, "all-to-all", group, {0, {&own, 1}}),
                    {.kind = Collective::all_to_all}};
  std::vector<Buffer> got(group.size());
  got[group.me] = copy_of(parts[group.me]);
  for (std::size_t step = 1; step < group.size(); ++step) {
    const std::size_t to = (group.me + step) % group.size();
    const std::size_t from = (group.me + group.size() - step) % group.size();
    const RequestId sent = exchange.start_send(to, parts[to]);
    got[from] = exchange.take(from);
    me.wait(sent);
  }
  return got;
}

namespace {

/// One after the other, at the same time in all members.
template <class Parts, class Rooms>
void exchange_parts(Exchange& exchange, Parts const& parts, Rooms const& rooms) {
  exchange.rounds([&](std::size_t ahead, std::size_t behind) {
    exchange.send_receive(ahead, parts[ahead], behind, rooms[behind]);
  });
}

void exchange_equal(Process& me, Group const& group, Contribution const& own,
                    on_board::EqualParts<Bytes> const& parts,
                    on_board::EqualParts<MutableBytes> const& rooms) {
  auto scope = begin_collective(me, DataFlow::all_to_all, "all-to-all", group, own);
  CollectiveCall const call{.kind = Collective::all_to_all};
  keep_own(parts[group.me], rooms[group.me]);
  if (auto* const board = scope.board())
    if (on_board::all_to_all(*board, call, scope.tag(), parts, rooms)) return;
  Exchange exchange{me, group, std::move(scope), call};
  exchange_parts(exchange, parts, rooms);
}

void check_parts(Group const& group, std::span<const Gather> parts,
                 std::span<const Scatter> rooms) {
  if (parts.size() != group.size())
    throw Error(Fault::bad_length, "an all-to-all of {} members was given {} parts", group.size(),
                parts.size());
  check_rooms(group, rooms);
}

}  // namespace

void all_to_all(Process& me, Group const& group, Bytes out, MutableBytes in) {
  const std::size_t size = out.size() / group.size();
  if (out.size() != in.size() || size * group.size() != out.size())
    throw Error(Fault::bad_length,
                "an all-to-all of {} members cannot share out {} bytes and take in {}",
                group.size(), out.size(), in.size());
  Gather const own{out};
  exchange_equal(me, group, Contribution::of(own), {out, group.size()}, {in, group.size()});
}

void all_to_all_equal(Process& me, Group const& group, std::span<const Gather> parts,
                      std::span<const Scatter> rooms) {
  check_parts(group, parts, rooms);
  exchange_equal(me, group, {0, parts}, {parts, parts[group.me].size()},
                 {rooms, parts[group.me].size()});
}

void all_to_all(Process& me, Group const& group, std::span<const Gather> parts,
                std::span<const Scatter> rooms) {
  check_parts(group, parts, rooms);
  Exchange exchange{me,
                    group,
                    begin_collective(me, DataFlow::all_to_all, "all-to-all", group, {0, parts}),
                    {.kind = Collective::all_to_all}};
  keep_own(parts[group.me], rooms[group.me]);
  exchange_parts(exchange, parts, rooms);
}

namespace {

/// Up the tree each member combines its children's data, nearest first, and keeps its own data from
/// before each; down, a child's members have that before them.
void scan_members(Process& me, Group const& group, MutableBytes data, Combine const& combine,
                  bool with_own) {
  Gather const own{Bytes{data}};
  Exchange exchange{me,
                    group,
                    begin_collective(me, DataFlow::in_order, with_own ? "scan" : "prefix", group,
                                     Contribution::of(own)),
                    {.kind = with_own ? Collective::scan : Collective::prefix,
                     .reduction = combine.reduction,
                     .element = combine.element}};
  const Tree tree{group, 0};
  std::vector<std::pair<std::size_t, Buffer>> before_child;
  Buffer sum = copy_of(data);
  Buffer incoming{data.size()};
  exchange.up(
      tree,
      [&](std::size_t child) {
        before_child.emplace_back(child, copy_of(sum.bytes()));
        exchange.receive(child, incoming.room());
        combine(sum.room(), incoming.bytes());
      },
      [&](std::size_t parent) { exchange.send(parent, sum.bytes()); });

  bool const first = group.me == 0;
  Buffer before{data.size()};
  if (!first) exchange.receive(tree.member(tree.relative - tree.own_bit()), before.room());
  for (auto child = before_child.rbegin(); child != before_child.rend(); ++child) {
    if (first) {
      exchange.send(child->first, child->second.bytes());
      continue;
    }
    copy(before.bytes(), incoming.room());
    combine(incoming.room(), child->second.bytes());
    exchange.send(child->first, incoming.bytes());
  }
  if (first) return;
  if (with_own) combine(before.room(), data);
  copy(before.bytes(), data);
}

}  // namespace

void scan(Process& me, Group const& group, MutableBytes data, Combine const& combine) {
  scan_members(me, group, data, combine, true);
}

void prefix(Process& me, Group const& group, MutableBytes data, Combine const& combine) {
  scan_members(me, group, data, combine, false);
}

}  // namespace earl
