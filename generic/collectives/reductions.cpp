// SPDX-License-Identifier: BSD-3-Clause
/// Collectives that combine all members' data. On every path the data are bracketed as the binomial
/// tree from member 0 does it: neighbours first, the lower member on the left.
#include <array>

#include "generic/collectives/board_collectives.hpp"
#include "generic/collectives/bracketing.hpp"
#include "generic/collectives/exchange.hpp"

namespace earl {

namespace {

/// Room for another member's data; short ones need no allocation.
class Incoming {
 public:
  explicit Incoming(std::size_t size)
      : long_(size > sizeof short_ ? Buffer{size} : Buffer{}),
        room_(size > sizeof short_ ? long_.room() : MutableBytes{short_}.first(size)) {}
  Incoming(Incoming const&) = delete;
  Incoming& operator=(Incoming const&) = delete;

  MutableBytes room() const { return room_; }

 private:
  alignas(std::max_align_t) std::byte short_[512];
  Buffer long_;
  MutableBytes room_;
};

CollectiveCall call_of(Collective kind, Combine const& combine, std::size_t root) {
  return {.kind = kind, .root = root, .reduction = combine.reduction, .element = combine.element};
}

/// Up the tree: member 0 has the result, the others' data are destroyed. The tree always grows from
/// member 0: only then does it join neighbours, in their order, for any root.
void reduce_to_first(Exchange& exchange, Group const& group, MutableBytes data,
                     Combine const& combine) {
  const Incoming incoming{data.size()};
  exchange.up(
      Tree{group, 0},
      [&](std::size_t child) {
        exchange.receive(child, incoming.room());
        combine(data, incoming.room());
      },
      [&](std::size_t parent) { exchange.send(parent, Bytes{data}); });
}

/// The same of two members, for both.
void reduce_for_both(Exchange& exchange, Group const& group, MutableBytes data,
                     Combine const& combine) {
  const Incoming incoming{data.size()};
  exchange.send_receive(1 - group.me, Bytes{data}, 1 - group.me, incoming.room());
  if (group.me == 0) return combine(data, incoming.room());
  combine(incoming.room(), data);
  copy(incoming.room(), data);
}

std::size_t unit_of(Combine const& combine) {
  if (combine.unit != 0) return combine.unit;
  switch (combine.element) {
    case ElementType::byte:
      return 1;
    case ElementType::integer_2:
    case ElementType::unsigned_2:
      return 2;
    case ElementType::integer_4:
    case ElementType::unsigned_4:
    case ElementType::real_4:
      return 4;
    case ElementType::integer_8:
    case ElementType::unsigned_8:
    case ElementType::real_8:
    case ElementType::complex_8:
      return 8;
    case ElementType::complex_16:
    case ElementType::real_16:
      return 16;
    case ElementType::unspecified:
    case ElementType::pair:
      break;
  }
  return 0;
}

/// Data cut into a part for each member.
class Parts {
 public:
  Parts(MutableBytes data, std::vector<std::size_t> ends) : data_(data), ends_(std::move(ends)) {}

  /// Equal ones, of whole units.
  static Parts equal(MutableBytes data, std::size_t members, std::size_t unit) {
    std::vector<std::size_t> ends;
    for (std::size_t i = 0; i < members; ++i) {
      auto const share = Share::of(i, members, data.size(), unit);
      ends.push_back(share.begin + share.size);
    }
    return {data, std::move(ends)};
  }

  MutableBytes operator[](std::size_t member) const {
    const std::size_t begin = member == 0 ? 0 : ends_[member - 1];
    return data_.subspan(begin, ends_[member] - begin);
  }

 private:
  MutableBytes data_;
  std::vector<std::size_t> ends_;
};

/// Each member gets its part of all others' data and combines them: its part holds the result then,
/// the rest of its data is as before.
void reduce_parts(Exchange& exchange, Group const& group, Parts const& parts,
                  Combine const& combine) {
  const std::size_t n = group.size();
  MutableBytes const own = parts[group.me];
  Buffer others{own.size() * n};
  auto const piece = [&](std::size_t member) {
    return member == group.me ? own : others.room().subspan(member * own.size(), own.size());
  };
  exchange.rounds([&](std::size_t ahead, std::size_t behind) {
    exchange.send_receive(ahead, Bytes{parts[ahead]}, behind, piece(behind));
  });
  if (own.empty()) return;
  in_tree_order(n,
                [&](std::size_t left, std::size_t right) { combine(piece(left), piece(right)); });
  if (group.me != 0) copy(piece(0), own);
}

/// Shorter parts are not worth a message.
constexpr std::size_t least_part = 4096;

/// Larger ones are not cut for staging memory.
constexpr std::size_t most_unit = 4096;

/// Not for all: says so in the root of the call, so that members with data of other lengths are
/// found out.
bool in_parts(Group const& group, std::size_t size) {
  return group.size() > 1 && size / group.size() >= least_part;
}

std::vector<std::size_t> ends_of(std::span<const std::size_t> sizes, std::size_t all) {
  std::vector<std::size_t> ends;
  std::size_t at = 0;
  for (auto const size : sizes) {
    if (size > all - at)
      throw Error(Fault::bad_length, "a reduce-scatter of {} bytes shall give away more", all);
    ends.push_back(at += size);
  }
  return ends;
}

/// A member's data as debuggers see and compare it.
class Shown {
 public:
  Shown(Bytes data, Combine const& combine) : bytes_(data.size()), data_(data) {
    if (combine.padding.none()) [[likely]]
      return;
    pattern_ = Pattern::of_blocks(data.size(), 1, 0).with(combine.padding);
    data_ = Gather{data.data(), pattern_};
  }
  Shown(Shown const&) = delete;
  Shown& operator=(Shown const&) = delete;
  ~Shown() = default;

  Contribution contribution() const { return {bytes_, {&data_, 1}}; }

 private:
  std::size_t bytes_;
  Pattern pattern_{};
  Gather data_;
};

}  // namespace

void reduce(Process& me, Group const& group, std::size_t root, MutableBytes data,
            Combine const& combine) {
  Shown const own{data, combine};
  auto scope = begin_collective(me, DataFlow::to_root, "reduce", group, own.contribution(), root);
  auto const call = call_of(Collective::reduce, combine, root);
  if (auto* const board = scope.board_for(data.size()))
    return board->reduce(call, scope.tag(), data, &combine, group.me == root);
  Exchange exchange{me, group, std::move(scope), call};
  reduce_to_first(exchange, group, data, combine);
  if (root == 0) return;
  if (group.me == 0) exchange.send(root, Bytes{data});
  if (group.me == root) exchange.receive(0, data);
}

void all_reduce(Process& me, Group const& group, MutableBytes data, Combine const& combine) {
  all_reduce(me, group, Bytes{data}, data, combine);
}

void all_reduce(Process& me, Group const& group, Bytes mine, MutableBytes data,
                Combine const& combine) {
  Shown const own{mine, combine};
  const std::size_t unit = unit_of(combine);
  bool const cut = unit != 0 && in_parts(group, data.size());
  auto scope = begin_collective(me, DataFlow::all_to_all, "all-reduce", group, own.contribution());
  auto const call = call_of(Collective::all_reduce, combine, cut ? 1 : 0);
  bool const staged = unit != 0 && unit <= most_unit;
  auto* const board = scope.board();
  if (board && staged && data.size() > CollectiveBoard::most_bytes)
    if (on_board::all_reduce(*board, call, scope.tag(), mine, data, combine, unit)) return;
  if (mine.data() != data.data()) copy(mine, data);
  if (board && data.size() <= CollectiveBoard::most_bytes)
    return board->reduce(call, scope.tag(), data, &combine, true);
  Exchange exchange{me, group, std::move(scope), call};
  if (!cut && group.size() == 2) return reduce_for_both(exchange, group, data, combine);
  if (!cut) {
    reduce_to_first(exchange, group, data, combine);
    return exchange.down(Tree{group, 0}, data);
  }
  const Parts parts = Parts::equal(data, group.size(), unit);
  reduce_parts(exchange, group, parts, combine);
  exchange.rounds([&](std::size_t ahead, std::size_t behind) {
    exchange.send_receive(ahead, Bytes{parts[group.me]}, behind, parts[behind]);
  });
}

void reduce_scatter(Process& me, Group const& group, MutableBytes data,
                    std::span<const std::size_t> sizes, Combine const& combine, MutableBytes mine) {
  const Parts parts{data, ends_of(sizes, data.size())};
  if (sizes.size() != group.size() || sizes[group.me] != mine.size())
    throw Error(Fault::bad_length,
                "a reduce-scatter to {} members was given {} sizes, and {} bytes for the result",
                group.size(), sizes.size(), mine.size());
  bool const cut = in_parts(group, data.size());
  Shown const own{data, combine};
  Exchange exchange{
      me, group,
      begin_collective(me, DataFlow::all_to_all, "reduce-scatter", group, own.contribution()),
      call_of(Collective::reduce_scatter, combine, cut ? 1 : 0)};
  if (cut) {
    reduce_parts(exchange, group, parts, combine);
    copy(parts[group.me], mine);
    return;
  }
  reduce_to_first(exchange, group, data, combine);
  for (std::size_t member = 1; group.me == 0 && member < group.size(); ++member)
    exchange.send(member, Bytes{parts[member]});
  if (group.me == 0)
    copy(parts[0], mine);
  else
    exchange.receive(0, mine);
}

}  // namespace earl
