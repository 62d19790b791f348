/// Collectives over point to point: fixed trees, fixed order, so that results are the same bits on
/// every back end and in every replay. Trees are binomial: with more processes than cores the
/// number of messages counts, and a tree has the fewest.
#include "generic/collectives.hpp"

#include "generic/core.hpp"
#include "generic/exchange.hpp"

namespace earl {

Tag Process::begin(char const* kind, Group const& group, std::size_t bytes) {
  EARL_CHECK(group.me < group.size(), "member {} of {}", group.me, group.size());
  EARL_CHECK(space_of(group.context) == Space::collective, "a collective in a user context");
  if (watch_) watch_->collective(kind, group.context, bytes);
  return core_->collective_tag(group.context);
}

void Process::barrier(Group const& group) {
  Exchange exchange{*this, group, begin("barrier", group, 0)};
  const Tree tree{group, 0};
  exchange.up(
      tree, [&](std::size_t child) { exchange.receive(child, {}); },
      [&](std::size_t parent) { exchange.send(parent, {}); });
  exchange.down(tree, {});
}

void Process::broadcast(Group const& group, std::size_t root, Room data) {
  Exchange exchange{*this, group, begin("broadcast", group, data.size())};
  exchange.down(Tree{group, root}, data);
}

// The tree always grows from member 0: only then does it join neighbours, in their order, whoever
// wants the result.
void Process::reduce(Group const& group, std::size_t root, Room data, Combine const& combine) {
  Exchange exchange{*this, group, begin("reduce", group, data.size())};
  Buffer incoming{data.size()};
  exchange.up(
      Tree{group, 0},
      [&](std::size_t child) {
        exchange.receive(child, incoming.room());
        combine(data, incoming.bytes());
      },
      [&](std::size_t parent) { exchange.send(parent, data); });
  if (root == 0) return;
  if (group.me == 0) exchange.send(root, data);
  if (group.me == root) exchange.receive(0, data);
}

void Process::all_reduce(Group const& group, Room data, Combine const& combine) {
  reduce(group, 0, data, combine);
  broadcast(group, 0, data);
}

Buffer Process::gather(Group const& group, std::size_t root, Bytes mine) {
  Exchange exchange{*this, group, begin("gather", group, mine.size())};
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

Buffer Process::all_gather(Group const& group, Bytes mine) {
  Buffer all = gather(group, 0, mine);
  std::uint64_t size = all.size();
  broadcast(group, 0, std::as_writable_bytes(std::span{&size, 1}));
  if (group.me != 0) all = Buffer(size);
  broadcast(group, 0, all.room());
  return all;
}

}  // namespace earl
