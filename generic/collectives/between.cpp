// SPDX-License-Identifier: BSD-3-Clause
/// Data go from one first member to the other, or from member to member; within a group they go as
/// in its own collectives.
#include "generic/collectives/between.hpp"

#include <algorithm>

#include "generic/base/error.hpp"
#include "generic/collectives/exchange.hpp"

namespace earl {

GroupPair::GroupPair(Group const& local, std::span<const Rank> remote, Context between)
    : local_(local), between_(between) {
  bool const local_first = local.members.front() < remote.front();
  auto const first = local_first ? local.members : remote;
  auto const second = local_first ? remote : local.members;
  both_.reserve(first.size() + second.size());
  both_.assign(first.begin(), first.end());
  both_.insert(both_.end(), second.begin(), second.end());
  local_begin_ = local_first ? 0 : remote.size();
  remote_begin_ = local_first ? local.size() : 0;
}

Group GroupPair::both() const {
  return {.members = both_, .me = local_begin_ + local_.me, .context = between_};
}

namespace {

using Place = PairRoot::Place;

/// Messages of one collective between members of different groups. Members that exchange none count
/// it all the same.
class Crossing {
 public:
  Crossing(Process& me, GroupPair const& pair, DataFlow flow, char const* kind,
           CollectiveCall const& call, Contribution const& own)
      : both_(pair.both()),
        exchange_(me, both_, begin_in_messages(me, flow, kind, both_, own, call.root), call) {}
  Crossing(Crossing const&) = delete;
  Crossing& operator=(Crossing const&) = delete;

  Exchange& exchange() { return exchange_; }

  static void skip(Process& me, GroupPair const& pair) {
    me.contexts().collective_tag(pair.both().context);
  }

 private:
  Group both_;  ///< what the exchange refers to
  Exchange exchange_;
};

bool is_first(GroupPair const& pair) { return pair.local().me == 0; }

std::size_t root_in(GroupPair const& pair, PairRoot root) {
  return root.place == Place::here ? pair.both().me : pair.remote(root.member);
}

void check_count(char const* what, std::size_t given, GroupPair const& pair) {
  if (given != pair.remote_size())
    throw Error(Fault::bad_length, "{} for a group of {} members was given {} parts", what,
                pair.remote_size(), given);
}

/// Each first member gets as many bytes from the other as `in` has.
void swap_firsts(Process& me, GroupPair const& pair, char const* kind, CollectiveCall const& call,
                 Bytes out, MutableBytes in) {
  if (!is_first(pair)) return Crossing::skip(me, pair);
  Gather const own{out};
  Crossing crossing{me, pair, DataFlow::all_to_all, kind, call, Contribution::of(own)};
  crossing.exchange().send_receive(pair.remote(0), own, pair.remote(0), in);
}

/// The first member has the combined data of the other group, in place of its own.
void swap_sums(Process& me, GroupPair const& pair, char const* kind, Collective collective,
               MutableBytes data, Combine const& combine) {
  reduce(me, pair.local(), 0, data, combine);
  const Buffer sum{is_first(pair) ? Gather{Bytes{data}} : Gather{}};
  swap_firsts(me, pair, kind,
              {.kind = collective, .reduction = combine.reduction, .element = combine.element},
              sum.bytes(), data);
}

}  // namespace

void barrier(Process& me, GroupPair const& pair) {
  barrier(me, pair.local());
  swap_firsts(me, pair, "barrier", {.kind = Collective::barrier}, {}, {});
  barrier(me, pair.local());
}

void broadcast(Process& me, GroupPair const& pair, PairRoot root, Scatter const& data) {
  CollectiveCall const call{.kind = Collective::broadcast, .root = root_in(pair, root)};
  if (root.place == Place::here) {
    const Buffer flat = packed(data);
    Gather const own{flat.bytes()};
    Crossing{me, pair, DataFlow::from_root, "broadcast", call, Contribution::of(own)}
        .exchange()
        .send(pair.remote(0), own);
    return;
  }
  if (root.place == Place::beside) return Crossing::skip(me, pair);
  if (is_first(pair))
    Crossing{me, pair, DataFlow::from_root, "broadcast", call, {data.size(), {}}}
        .exchange()
        .receive(call.root, data);
  else
    Crossing::skip(me, pair);
  broadcast(me, pair.local(), 0, data);
}

void reduce(Process& me, GroupPair const& pair, PairRoot root, MutableBytes data,
            Combine const& combine) {
  if (root.place == Place::beside) return Crossing::skip(me, pair);
  if (root.place == Place::remote) reduce(me, pair.local(), 0, data, combine);
  if (root.place == Place::remote && !is_first(pair)) return Crossing::skip(me, pair);
  Gather const own{Bytes{data}};
  CollectiveCall const call{.kind = Collective::reduce,
                            .root = root_in(pair, root),
                            .reduction = combine.reduction,
                            .element = combine.element};
  bool const is_root = root.place == Place::here;
  Crossing crossing{me,       pair, DataFlow::to_root,
                    "reduce", call, is_root ? Contribution{} : Contribution::of(own)};
  if (is_root)
    crossing.exchange().receive(pair.remote(0), data);
  else
    crossing.exchange().send(call.root, own);
}

void all_reduce(Process& me, GroupPair const& pair, MutableBytes data, Combine const& combine) {
  swap_sums(me, pair, "all-reduce", Collective::all_reduce, data, combine);
  broadcast(me, pair.local(), 0, data);
}

void reduce_scatter(Process& me, GroupPair const& pair, MutableBytes data,
                    std::span<const std::size_t> sizes, Combine const& combine, MutableBytes mine) {
  swap_sums(me, pair, "reduce-scatter", Collective::reduce_scatter, data, combine);
  std::vector<Gather> parts;
  Bytes const all{data};
  for (std::size_t at = 0; std::size_t const size : sizes) {
    parts.emplace_back(all.subspan(at, size));
    at += size;
  }
  scatter(me, pair.local(), 0, parts, Scatter{mine});
}

void gather(Process& me, GroupPair const& pair, PairRoot root, Gather const& mine,
            std::span<const Scatter> rooms) {
  if (root.place == Place::beside) return Crossing::skip(me, pair);
  CollectiveCall const call{.kind = Collective::gather, .root = root_in(pair, root)};
  bool const is_root = root.place == Place::here;
  Crossing crossing{me,       pair, DataFlow::to_root,
                    "gather", call, is_root ? Contribution{} : Contribution::of(mine)};
  if (!is_root) return crossing.exchange().send(call.root, mine);
  check_count("a gather", rooms.size(), pair);
  for (std::size_t i = 0; i < rooms.size(); ++i)
    crossing.exchange().receive(pair.remote(i), rooms[i]);
}

void scatter(Process& me, GroupPair const& pair, PairRoot root, std::span<const Gather> parts,
             Scatter const& mine) {
  if (root.place == Place::beside) return Crossing::skip(me, pair);
  CollectiveCall const call{.kind = Collective::scatter, .root = root_in(pair, root)};
  bool const is_root = root.place == Place::here;
  Crossing crossing{
      me,        pair, DataFlow::from_root,
      "scatter", call, {is_root ? 0 : mine.size(), parts.first(is_root ? parts.size() : 0)}};
  if (!is_root) return crossing.exchange().receive(call.root, mine);
  check_count("a scatter", parts.size(), pair);
  for (std::size_t i = 0; i < parts.size(); ++i) crossing.exchange().send(pair.remote(i), parts[i]);
}

void all_gather(Process& me, GroupPair const& pair, Gather const& mine,
                std::span<const Scatter> rooms) {
  check_count("an all-gather", rooms.size(), pair);
  std::size_t size = 0;
  for (auto const& room : rooms) size += room.size();
  const Buffer flat{mine};
  const Buffer ours = gather(me, pair.local(), 0, flat.bytes());
  Buffer theirs{size};
  swap_firsts(me, pair, "all-gather", {.kind = Collective::all_gather}, ours.bytes(),
              theirs.room());
  broadcast(me, pair.local(), 0, theirs.room());
  std::size_t at = 0;
  for (auto const& room : rooms) at += copy(theirs.bytes().subspan(at, room.size()), room);
}

void all_to_all(Process& me, GroupPair const& pair, std::span<const Gather> parts,
                std::span<const Scatter> rooms) {
  check_count("an all-to-all", parts.size(), pair);
  check_count("an all-to-all", rooms.size(), pair);
  Crossing crossing{
      me, pair, DataFlow::all_to_all, "all-to-all", {.kind = Collective::all_to_all}, {0, parts}};
  auto& exchange = crossing.exchange();
  auto const first = pair.remote(0);
  auto const is_remote = [&](std::size_t member) {
    return member >= first && member - first < parts.size();
  };
  exchange.rounds([&](std::size_t ahead, std::size_t behind) {
    auto const sent =
        is_remote(ahead) ? exchange.start_send(ahead, parts[ahead - first]) : no_request;
    try {
      if (is_remote(behind)) exchange.receive(behind, rooms[behind - first]);
    } catch (Error const&) {
      if (sent != no_request) exchange.take_back(sent);
      throw;
    }
    if (sent != no_request) me.wait(sent);
  });
}

}  // namespace earl
