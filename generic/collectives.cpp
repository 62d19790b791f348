/// Collectives over point to point: fixed trees, fixed order, so that results are the same bits on
/// every back end and in every replay. Trees are binomial: with more processes than cores the
/// number of messages counts, and a tree has the fewest.
#include "generic/collectives.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "generic/core.hpp"
#include "generic/exchange.hpp"

namespace earl {

namespace {

constexpr std::array kinds{"nothing",   "a barrier",     "a broadcast", "a reduction", "a gather",
                           "a scatter", "an all-to-all", "a scan",      "a prefix"};
constexpr std::array reductions{"",
                                "sum",
                                "product",
                                "maximum",
                                "minimum",
                                "bitwise and",
                                "bitwise or",
                                "bitwise exclusive or",
                                "logical and",
                                "logical or",
                                "logical exclusive or"};
constexpr std::array elements{"elements",
                              "bytes",
                              "2-byte integers",
                              "4-byte integers",
                              "8-byte integers",
                              "4-byte reals",
                              "8-byte reals",
                              "8-byte complex numbers",
                              "16-byte complex numbers"};

template <std::size_t size>
char const* name_in(std::array<char const*, size> const& names, std::size_t number) {
  return number < size ? names[number] : "something unknown";
}

// The word, from its lowest bit: root, element, reduction, kind.
constexpr unsigned element_at = 16;
constexpr unsigned reduction_at = 22;
constexpr unsigned kind_at = 28;
constexpr std::uint32_t six_bits = 0x3f;

/// 0 is what is not known.
template <class Named>
bool alike(Named mine, Named theirs) {
  return mine == theirs || mine == Named{} || theirs == Named{};
}

bool has_root(Collective kind) {
  return kind == Collective::broadcast || kind == Collective::reduce ||
         kind == Collective::gather || kind == Collective::scatter;
}

}  // namespace

std::uint32_t CollectiveCall::word() const {
  return static_cast<std::uint32_t>(std::min(root, most_root)) |
         static_cast<std::uint32_t>(element) << element_at |
         static_cast<std::uint32_t>(reduction) << reduction_at |
         static_cast<std::uint32_t>(kind) << kind_at;
}

CollectiveCall CollectiveCall::from(std::uint32_t word) {
  return {.kind = static_cast<Collective>(word >> kind_at),
          .root = word & most_root,
          .reduction = static_cast<Reduction>(word >> reduction_at & six_bits),
          .element = static_cast<ElementType>(word >> element_at & six_bits)};
}

bool CollectiveCall::fits(CollectiveCall const& other) const {
  return kind == other.kind && std::min(root, most_root) == std::min(other.root, most_root) &&
         alike(reduction, other.reduction) && alike(element, other.element);
}

std::string CollectiveCall::in_words() const {
  std::string words = name_in(kinds, static_cast<std::size_t>(kind));
  if (reduction != Reduction::unspecified || element != ElementType::unspecified)
    words += fmt::format(" ({}{}{})", name_in(reductions, static_cast<std::size_t>(reduction)),
                         reduction != Reduction::unspecified ? " of " : "",
                         name_in(elements, static_cast<std::size_t>(element)));
  if (has_root(kind)) words += fmt::format(", root {}", root);
  return words;
}

void Exchange::compare(Envelope const& theirs, std::size_t expected) {
  auto const other = CollectiveCall::from(theirs.word);
  if (call_.fits(other) && theirs.length == expected) return;
  auto const calls = process_.calls(theirs.source);
  auto const name = [](std::string const& call) { return call.empty() ? "" : call + ": "; };
  throw Error(
      Fault::bad_length,
      "collectives do not match: process {} is in {}{}, {} bytes; process {} is in {}{}, {} "
      "bytes; all members must make the same collective calls in the same order",
      number(process_.rank()), name(calls.own), call_.in_words(), expected, number(theirs.source),
      name(calls.other), other.in_words(), theirs.length);
}

Tag Process::begin(char const* kind, Group const& group, std::size_t bytes) {
  EARL_CHECK(group.me < group.size(), "member {} of {}", group.me, group.size());
  EARL_CHECK(space_of(group.context) == Space::collective, "a collective in a user context");
  if (watch_) watch_->collective(kind, group.context, bytes);
  return core_->collective_tag(group.context);
}

void Process::barrier(Group const& group) {
  Exchange exchange{*this, group, begin("barrier", group, 0), {.kind = Collective::barrier}};
  const Tree tree{group, 0};
  exchange.up(
      tree, [&](std::size_t child) { exchange.receive(child, {}); },
      [&](std::size_t parent) { exchange.send(parent, {}); });
  exchange.down(tree, {});
}

void Process::broadcast(Group const& group, std::size_t root, Room data) {
  Exchange exchange{*this,
                    group,
                    begin("broadcast", group, data.size()),
                    {.kind = Collective::broadcast, .root = root}};
  exchange.down(Tree{group, root}, data);
}

// The tree always grows from member 0: only then does it join neighbours, in their order, whoever
// wants the result.
void Process::reduce(Group const& group, std::size_t root, Room data, Combine const& combine) {
  Exchange exchange{*this,
                    group,
                    begin("reduce", group, data.size()),
                    {.kind = Collective::reduce,
                     .root = root,
                     .reduction = combine.reduction,
                     .element = combine.element}};
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
  Exchange exchange{*this,
                    group,
                    begin("gather", group, mine.size()),
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

Buffer Process::all_gather(Group const& group, Bytes mine) {
  Buffer all = gather(group, 0, mine);
  std::uint64_t size = all.size();
  broadcast(group, 0, std::as_writable_bytes(std::span{&size, 1}));
  if (group.me != 0) all = Buffer(size);
  broadcast(group, 0, all.room());
  return all;
}

}  // namespace earl
